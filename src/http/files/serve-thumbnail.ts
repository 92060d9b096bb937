import { MIB } from '../../core/files.ts'
import { fromStore } from '../../core/from-store.ts'
import type { StoredFile } from '../../model/uploads/find-file.ts'
import {
  findThumbnailFormat,
  hasThumbnails,
  type ThumbnailFormat,
  thumbnailKey,
} from '../../model/uploads/thumbnail-formats.ts'
import { imageContentType } from '../../store/uploads/attachment-rows.ts'
import type { Environment } from '../environment.ts'
import { workerMemory } from '../memory-share.ts'
import { NoImagesError, picturesOf } from './decode-pictures.ts'
import { edgeCopy, keepEdgeCopy } from './edge-copies.ts'
import { headersOf, isKnown, serveFile } from './serve-file.ts'

/**
 * Limit of a picture that is made smaller, in bytes. Larger ones are sent as they are, since they would have to be held in
 * memory.
 */
const MAX_BYTES = 20 * MIB

/** Stored in place of a picture that cannot be made smaller, so that nobody tries again. */
const NONE = new Uint8Array(0)

/**
 * Sends a smaller form of an uploaded picture, made when it is first asked for and then stored beside the
 * picture. A picture that cannot be made smaller is sent as it is, since clients would show a broken one.
 * Undefined when there is no such format, the upload is no picture, or the store does not have it.
 */
export async function serveThumbnail(
  env: Environment,
  file: StoredFile,
  formatName: string,
  request: Request,
): Promise<Response | undefined> {
  const bucket = env.UPLOADS
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
  const stored = await fromStore<R2Object | R2ObjectBody | null>(() =>
    isHead ? bucket.head(key) : bucket.get(key),
  )
  if (stored) {
    if (stored.size === NONE.length) return asItIs()
    headers.set('Content-Length', String(stored.size))
    if (!isHead) keepEdgeCopy(bucket, key, stored.size)
    return new Response('body' in stored ? stored.body : null, { headers })
  }
  const made = await makeThumbnail(env, file, format)
  if (!made) return asItIs()
  keepEdgeCopy(bucket, key, made.length)
  headers.set('Content-Length', String(made.length))
  return new Response(isHead ? null : made, { headers })
}

/**
 * Makes a smaller form; undefined when it cannot be made, or not now. Two simultaneous requests store the
 * same.
 */
async function makeThumbnail(
  env: Environment,
  file: StoredFile,
  format: ThumbnailFormat,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (file.size > MAX_BYTES) return undefined
  const giveBack = await workerMemory.take(file.size)
  if (!giveBack) return undefined
  try {
    const original = await fromStore(() => env.UPLOADS.get(file.key))
    if (!original) return undefined
    const bytes = new Uint8Array(await fromStore(() => original.arrayBuffer()))
    const fitted = await picturesOf(env).fitInside(bytes, format)
    const made = fitted && new Uint8Array(fitted)
    await fromStore(() => env.UPLOADS.put(thumbnailKey(file.key, format), made ?? NONE))
    return made
  } catch (error) {
    if (error instanceof NoImagesError) return undefined
    throw error
  } finally {
    giveBack()
  }
}

function thumbnailName(name: string): string {
  return `${name.replace(/\.[^.]*$/, '')}.webp`
}
