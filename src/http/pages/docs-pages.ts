import { noteOfRequest } from '../../core/request-record.ts'
import { contentTypeOf, readAsset } from '../html/web-client.ts'
import type { Environment } from '../request/environment.ts'
import type { PageRequest } from '../request/request-url.ts'
import { respondNotFound } from '../request/respond.ts'

/** The path of the documentation, and of its folder in the build (scripts/web-client.ts). */
export const DOCS_ROOT = '/docs'

/** Style, scripts, search index and pictures are files of this origin. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A path of plain names with an extension at the end: none leads upwards or is hidden. */
const FILE_PATH = /^(?:\/[\w-]+)+\.[\w.-]+$/

/** GET /docs: the relative addresses of the front page need the slash. */
export function redirectToDocs(request: PageRequest): Response | undefined {
  if (new URL(request.url).pathname !== DOCS_ROOT) return undefined
  return new Response(null, { status: 308, headers: { Location: `${DOCS_ROOT}/` } })
}

/** GET /docs/…: a page of the documentation, or a file for one. They are public. */
export async function serveDocs(request: PageRequest, { ASSETS }: Environment): Promise<Response> {
  noteOfRequest({ operation: 'docs' })
  const { pathname } = new URL(request.url)
  const path = pathname === `${DOCS_ROOT}/` ? `${DOCS_ROOT}/index.html` : pathname
  const tag = request.headers.get('if-none-match')
  const file = FILE_PATH.test(path) ? await readAsset(ASSETS, path, tag) : undefined
  if (file) return respondFile(file, path, file.status)
  const missing = await readAsset(ASSETS, `${DOCS_ROOT}/404.html`)
  return missing ? respondFile(missing, '/404.html', 404) : respondNotFound()
}

function respondFile(file: Response, path: string, status: number): Response {
  const headers = new Headers({
    'Content-Type': contentTypeOf(path),
    'Content-Security-Policy': DOCS_POLICY,
    'Cache-Control': 'no-cache',
    'Referrer-Policy': 'no-referrer',
  })
  const tag = file.headers.get('etag')
  if (tag !== null && status !== 404) headers.set('ETag', tag)
  return new Response(file.body, { status, headers })
}
