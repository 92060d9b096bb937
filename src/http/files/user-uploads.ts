import type { Credentials, RealmCall } from '../../core/call.ts'
import { allowsWebPublic } from '../../core/deployment-settings.ts'
import { ApiError, NonexistentSubdomainError } from '../../core/errors.ts'
import type { FileContent, FileFacts } from '../../core/file-bucket.ts'
import { fromStore } from '../../core/file-store.ts'
import { MIB } from '../../core/files.ts'
import { findPublicFileStep } from '../../features/spectators/spectators.ts'
import { findFileStep, findTemporaryFileStep } from '../../features/uploads/files.ts'
import type { StoredFile } from '../../model/uploads/find-file.ts'
import { bucketOf } from '../../store/d1/bucket.ts'
import { imageContentType } from '../../store/uploads/attachment-rows.ts'
import {
  findThumbnailFormat,
  hasThumbnails,
  type ThumbnailFormat,
  thumbnailKey,
  uploadKeyInCopy,
} from '../../store/uploads/upload-keys.ts'
import { languageOfRequest } from '../html/texts-of-request.ts'
import { requestSource } from '../operations/handle-request.ts'
import { workerMemory } from '../request/admission-control.ts'
import { keyOrSession } from '../request/browser-session.ts'
import { callRealm, explainRefusal } from '../request/call-realm.ts'
import type { Environment, Whereabouts } from '../request/environment.ts'
import { findRealm, forgetRealm } from '../request/find-realm.ts'
import { decoded } from '../request/request-url.ts'
import { respondError, respondFailure, retryLater } from '../request/respond.ts'
import { NoImagesError, picturesOf } from '../storage/draw-pictures.ts'
import { edgeCopy, keepEdgeCopy } from '../storage/stored-files.ts'
import {
  headersOf,
  isKnown,
  isReading,
  respondOnlyReading,
  respondSentence,
  serveFile,
} from './serve-file.ts'

const NO_FILE = 'This file does not exist or has been deleted.'
const NOT_YOURS = 'You are not authorized to view this file.'

const TEMPORARY = /^temporary\/([^/]+)\/[^/]*$/
const UPLOAD = /^(download\/)?(\d{1,15}\/[^/]+\/[^/]+\/[^/]+)$/
/** A thumbnail of an upload; clients learn the formats from `server_thumbnail_formats`. */
const THUMBNAIL = /^thumbnail\/(\d{1,15}\/[^/]+\/[^/]+\/[^/]+)\/([^/]+)$/

/**
 * GET /user_uploads/…: files and thumbnails, for clients that send their key, and at temporary addresses for anyone. Errors are HTML,
 * since browsers open these addresses. Source: docs/interface/uploads.md#read-a-file.
 */
export async function serveUserUpload(request: Request, env: Environment): Promise<Response> {
  if (!isReading(request)) return respondOnlyReading()
  try {
    return await serve(request, env)
  } catch (error) {
    if (error instanceof NonexistentSubdomainError) {
      forgetRealm(env.DB, new URL(request.url))
      return refuse(request, NO_FILE, 404)
    }
    if (!(error instanceof ApiError)) return respondFailure('user-uploads', error)
    if (error.status === 401) return respondError(error)
    return retryLater(refuse(request, error.message, error.status), error)
  }
}

/** Who asks need not be known, so that the language is the browser's. */
function refuse(request: Request, text: string, status: number): Response {
  return respondSentence(text, status, languageOfRequest(request))
}

async function serve(request: Request, env: Environment): Promise<Response> {
  const url = new URL(request.url)
  const rest = decoded(url.pathname.replace(/^\/user_uploads\//, '')) ?? ''
  const temporary = TEMPORARY.exec(rest)
  const upload = UPLOAD.exec(rest)
  const thumbnail = THUMBNAIL.exec(rest)
  const path = upload?.[2] ?? thumbnail?.[1]
  const realm = await findRealm(env.DB, url)
  if (!realm || !(temporary || path)) return refuse(request, NO_FILE, 404)
  const credentials: Credentials = temporary ? { kind: 'none' } : await keyOrSession(request)
  const isSpectator = !temporary && credentials.kind === 'none'
  if (isSpectator && !allowsWebPublic(env)) return refuse(request, NOT_YOURS, 403)
  const step = temporary ? findTemporaryFileStep : isSpectator ? findPublicFileStep : findFileStep
  const call: RealmCall = {
    operation: step.operation,
    credentials,
    parameters: { ok: true, value: temporary ? { token: temporary[1] } : { path } },
    source: requestSource(request, url, env),
    host: realm.host,
  }
  const { outcome, isShed } = await callRealm(env, realm, call, true)
  // Without public access, all files get the same answer.
  if (!outcome.ok && isSpectator && outcome.error.status === 401) return refuse(request, NOT_YOURS, 403)
  if (!outcome.ok) throw await explainRefusal(env, realm.id, call, outcome.error)
  const file = await whereStored(env, realm.id, outcome.value as StoredFile)
  const download = upload?.[1] !== undefined || url.searchParams.has('download')
  const served = thumbnail
    ? await serveThumbnail(env, realm, file, thumbnail[2]!, request, !isShed)
    : await serveFile(bucketOf(env), file, request, { download })
  return served ?? refuse(request, NO_FILE, 404)
}

/** Returns the file with the key at which it is: a copy of a backup has files of its own, and others that its organization has still. */
async function whereStored(env: Environment, realmId: number, file: StoredFile): Promise<StoredFile> {
  const key = uploadKeyInCopy(file.key, realmId)
  if (key === file.key) return file
  return (await fromStore(() => bucketOf(env).head(key))) ? { ...file, key } : file
}

/** Limit of a picture to be resized, in bytes. Larger ones are sent as they are, since they would have to be held in memory. */
const MAX_BYTES = 20 * MIB

/** Stored in place of the thumbnail of a picture that cannot be resized, so that it is not tried again. */
const NONE = new Uint8Array(0)

/**
 * Sends a thumbnail of an uploaded picture, made on the first request and then stored next to the picture. A picture that cannot be
 * resized, or may not be now (`mayMake`), is sent as it is, since clients would show a broken one. Undefined if the format does not exist, the upload is not a picture,
 * or the store does not have it.
 */
async function serveThumbnail(
  env: Environment,
  where: Whereabouts,
  file: StoredFile,
  formatName: string,
  request: Request,
  mayMake: boolean,
): Promise<Response | undefined> {
  const bucket = bucketOf(env)
  const format = findThumbnailFormat(formatName)
  if (!format || !file.image) return undefined
  const asItIs = () => serveFile(bucket, { ...file, contentType: imageContentType(file.image!) }, request)
  if (!hasThumbnails(file.image)) return asItIs()
  const key = thumbnailKey(file.key, format)
  const headers = headersOf({ ...file, key, name: thumbnailName(file.name), contentType: 'image/webp' })
  headers.delete('Accept-Ranges')
  if (isKnown(request.headers.get('if-none-match'), headers.get('etag')!)) {
    return new Response(null, { status: 304, headers })
  }
  const isHead = request.method === 'HEAD'
  const copy = isHead ? undefined : await edgeCopy(key)
  if (copy) {
    headers.set('Content-Length', copy.headers.get('content-length')!)
    return new Response(copy.body, { headers })
  }
  const stored = await fromStore<FileFacts | FileContent | null>(() =>
    isHead ? bucket.head(key) : bucket.get(key),
  )
  if (stored) {
    if (stored.size === NONE.length) return asItIs()
    headers.set('Content-Length', String(stored.size))
    if (!isHead) keepEdgeCopy(bucket, key, stored.size)
    return new Response('body' in stored ? stored.body : null, { headers })
  }
  const made = mayMake ? await makeThumbnail(env, where, file, format) : undefined
  if (!made) return asItIs()
  keepEdgeCopy(bucket, key, made.length)
  headers.set('Content-Length', String(made.length))
  return new Response(isHead ? null : made, { headers })
}

/** Makes a thumbnail; undefined when that fails, or must wait. Two simultaneous requests store the same bytes. */
async function makeThumbnail(
  env: Environment,
  where: Whereabouts,
  file: StoredFile,
  format: ThumbnailFormat,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (file.size > MAX_BYTES) return undefined
  const bucket = bucketOf(env)
  const release = await workerMemory.take(file.size)
  if (!release) return undefined
  try {
    const original = await fromStore(() => bucket.get(file.key))
    if (!original) return undefined
    const bytes = new Uint8Array(await fromStore(() => original.arrayBuffer()))
    const fitted = await picturesOf(env, where).fitInside(bytes, format)
    const made = fitted && new Uint8Array(fitted)
    await fromStore(() => bucket.put(thumbnailKey(file.key, format), made ?? NONE))
    return made
  } catch (error) {
    if (error instanceof NoImagesError) return undefined
    throw error
  } finally {
    release()
  }
}

function thumbnailName(name: string): string {
  return `${name.replace(/\.[^.]*$/, '')}.webp`
}
