import type { Credentials, RealmCall } from '../../core/call.ts'
import { ApiError, NonexistentSubdomainError, UnauthorizedError } from '../../core/errors.ts'
import { allowsWebPublic } from '../../core/web-public.ts'
import { findPublicFileStep } from '../../features/spectators/find-public-file.ts'
import { findFileStep, findTemporaryFileStep } from '../../features/uploads/find-file.ts'
import type { StoredFile } from '../../model/uploads/find-file.ts'
import { keyOrSession } from '../browser-session.ts'
import { callRealm } from '../call-realm.ts'
import type { Environment } from '../environment.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { findRealm, forgetRealm } from '../find-realm.ts'
import { requestSource } from '../handle-request.ts'
import { html } from '../pages/html.ts'
import { respondError, respondFailure, retryLater } from '../respond.ts'
import { serveFile } from './serve-file.ts'
import { serveThumbnail } from './serve-thumbnail.ts'

const NO_FILE = 'This file does not exist or has been deleted.'
const NOT_YOURS = 'You are not authorized to view this file.'

const TEMPORARY = /^temporary\/([^/]+)\/[^/]*$/
const UPLOAD = /^(download\/)?(\d{1,15}\/[^/]+\/[^/]+\/[^/]+)$/
/** A smaller form of an upload; clients learn of them from `server_thumbnail_formats`. */
const THUMBNAIL = /^thumbnail\/(\d{1,15}\/[^/]+\/[^/]+\/[^/]+)\/([^/]+)$/

/**
 * GET /user_uploads/…: files and smaller forms of pictures, for clients that send their key along, and at
 * temporary addresses for anybody. Errors are answered in HTML, since browsers open these addresses. Source:
 * docs/interface/uploads.md#read-a-file.
 */
export async function serveUserUpload(request: Request, env: Environment): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } })
  }
  try {
    return await serve(request, env)
  } catch (error) {
    if (error instanceof NonexistentSubdomainError) {
      forgetRealm(env.DB, new URL(request.url))
      return respondSentence(NO_FILE, 404)
    }
    if (error instanceof UnauthorizedError || (error instanceof ApiError && error.status === 401)) {
      return respondError(error)
    }
    if (error instanceof ApiError) {
      return retryLater(respondSentence(error.message, error.status), error)
    }
    return respondFailure('user-uploads', error)
  }
}

async function serve(request: Request, env: Environment): Promise<Response> {
  const url = new URL(request.url)
  const rest = decoded(url.pathname.replace(/^\/user_uploads\//, ''))
  const temporary = TEMPORARY.exec(rest)
  const upload = UPLOAD.exec(rest)
  const thumbnail = THUMBNAIL.exec(rest)
  const path = upload?.[2] ?? thumbnail?.[1]
  const realm = await findRealm(env.DB, url)
  if (!realm || !(temporary || path)) return respondSentence(NO_FILE, 404)
  const credentials: Credentials = temporary ? { kind: 'none' } : await keyOrSession(request)
  const isSpectator = !temporary && credentials.kind === 'none'
  if (isSpectator && !allowsWebPublic(env)) return respondSentence(NOT_YOURS, 403)
  const step = temporary ? findTemporaryFileStep : isSpectator ? findPublicFileStep : findFileStep
  const call: RealmCall = {
    operation: step.operation,
    credentials,
    parameters: { ok: true, value: temporary ? { token: temporary[1] } : { path } },
    source: requestSource(request, url, env),
    host: realm.host,
  }
  const { outcome } = await callRealm(env, realm, call, true)
  // Where nothing is open to the web, all files get the same answer.
  if (!outcome.ok && isSpectator && outcome.error.status === 401) return respondSentence(NOT_YOURS, 403)
  if (!outcome.ok) throw await explainRefusal(env, realm.id, call, outcome.error)
  const file = outcome.value as StoredFile
  const download = upload?.[1] !== undefined || url.searchParams.has('download')
  const served = thumbnail
    ? await serveThumbnail(env, file, thumbnail[2]!, request)
    : await serveFile(env.UPLOADS, file, request, { download })
  return served ?? respondSentence(NO_FILE, 404)
}

/** Decodes a path. One that cannot be decoded is no address of a file. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}

function respondSentence(sentence: string, status: number): Response {
  return new Response(html`<p>${sentence}</p>`.text, {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  })
}
