import { findExportStep } from '../../features/exports/exports.ts'
import type { StoredFile } from '../../model/uploads/find-file.ts'
import { EXPORT_PATH } from '../../store/exports/export-rows.ts'
import { askRealm } from '../ask-realm.ts'
import type { Environment } from '../environment.ts'
import { serveFile } from './serve-file.ts'

const REST = /^\d{1,15}\/([0-9a-f]{48})\/[^/]+$/

/**
 * GET /user_avatars/exports/…: the archive of an export. Only administrators get its address, which opens it
 * without a key, since browsers send none. Source: docs/interface/administration.md#exports.
 */
export async function serveExport(request: Request, env: Environment): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } })
  }
  const secret = REST.exec(new URL(request.url).pathname.slice(EXPORT_PATH.length))?.[1]
  if (secret === undefined) return respondNoExport()
  const outcome = await askRealm(request, env, findExportStep.operation, { secret })
  if (!outcome.ok) return respondNoExport()
  const served = await serveFile(env.UPLOADS, outcome.value as StoredFile, request, {
    download: true,
    caching: 'private, no-store',
  })
  return served ?? respondNoExport()
}

function respondNoExport(): Response {
  return new Response('There is no such export.', { status: 404, headers: { 'Cache-Control': 'no-store' } })
}
