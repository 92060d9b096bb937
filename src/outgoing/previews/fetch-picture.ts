import { joinedBytes } from '../../core/growing-bytes.ts'
import {
  type PictureType,
  pictureTypeOf,
  type SoundType,
  soundTypeOf,
  type VideoType,
  videoTypeOf,
} from '../../images/picture.ts'
import { CallTimeoutError, followRedirects, openCall } from '../call-out.ts'

/** Limit of a picture of another server that is fetched for readers, in bytes, as at the public server. */
const MAX_EXTERNAL_PICTURE = 10 * 1024 * 1024

/** Milliseconds until the picture begins, redirects included; and for all of it. */
const BEGINS_WITHIN_MS = 10_000
const WHOLE_WITHIN_MS = 60_000

/** Number of bytes that identify a picture's type. */
const BEGINNING = 32

/** Types that its server may declare, in all common spellings. The first bytes decide. */
const PICTURES =
  /^image\/(?:apng|avif|bmp|gif|jpe?g|pjpeg|png|webp|x-bmp|x-ms-bmp|x-png|x-windows-bmp)\s*(?:;|$)/i

/** Types of videos. Readers see the first frame, and play the video from the other server, as on the public server. */
const VIDEOS = /^video\/(?:mp4|quicktime|webm|x-m4v)\s*(?:;|$)/i

/** Types of sounds, which have a player (`![name](address)`). */
const SOUNDS = /^audio\/(?:aacp?|flac|mp3|mpeg|vnd\.wave|wave?|x-aac|x-flac|x-wav)\s*(?:;|$)/i

/** A picture, or a video or a sound, of another server, while it arrives. */
export interface FetchedPicture {
  readonly type: PictureType | VideoType | SoundType
  /** Bytes, if its server declares them. */
  readonly length: number | undefined
  /** The body, which must be read to its end or cancelled. It fails above the limit of bytes, and when its time is over. */
  readonly chunks: AsyncGenerator<Uint8Array, void>
}

/** Thrown where there is no picture to show. */
export class NoPictureError extends Error {}

/** Thrown when its server takes too long. */
export class SlowPictureError extends Error {}

/**
 * Fetches a picture from an address that a user has given. The request does not reveal for whom.
 * @throws NoPictureError; SlowPictureError
 */
export async function fetchPicture(address: string): Promise<FetchedPicture> {
  try {
    return await beginning(await openPicture(address))
  } catch (error) {
    if (error instanceof CallTimeoutError) throw new SlowPictureError('The picture does not come')
    if (error instanceof NoPictureError || error instanceof SlowPictureError) throw error
    throw new NoPictureError('The picture cannot be fetched', { cause: error })
  }
}

type Opened = Pick<FetchedPicture, 'length' | 'chunks'>

async function openPicture(address: string): Promise<Opened> {
  const found = await followRedirects(address, BEGINS_WITHIN_MS, (url, timeoutMs) =>
    openCall({
      url,
      named: { by: 'user', allowedHosts: [] },
      init: {
        headers: { Accept: 'image/*, video/*;q=0.5, audio/*;q=0.5', 'User-Agent': 'ParleyPictures/1.0' },
      },
      timeoutMs,
      bodyTimeoutMs: WHOLE_WITHIN_MS,
      maxBytes: MAX_EXTERNAL_PICTURE,
      needsBody: isPicture,
    }),
  )
  if (!found?.answer.chunks) throw new NoPictureError('There is no picture')
  const { response, chunks } = found.answer
  return { length: lengthOf(response), chunks }
}

/** Returns the declared length of the picture; undefined if it is compressed, since its length differs. */
function lengthOf({ headers }: Response): number | undefined {
  const said = headers.get('Content-Length')
  return said !== null && /^\d{1,15}$/.test(said) && !headers.has('Content-Encoding')
    ? Number(said)
    : undefined
}

/** Whether to read the answer as a picture: not if its declared length is too large. */
function isPicture({ ok, headers }: Response): boolean {
  const type = headers.get('Content-Type') ?? ''
  return (
    ok &&
    [PICTURES, VIDEOS, SOUNDS].some((types) => types.test(type)) &&
    Number(headers.get('Content-Length') ?? 0) <= MAX_EXTERNAL_PICTURE
  )
}

/** Returns the chunks of a picture, once the first of them have shown its type. */
async function beginning({ length, chunks }: Opened): Promise<FetchedPicture> {
  const read: Uint8Array[] = []
  for (let bytes = 0; bytes < BEGINNING; bytes += read.at(-1)!.length) {
    const { done, value } = await chunks.next()
    if (done) break
    read.push(value)
  }
  const bytes = joinedBytes(read)
  const type = pictureTypeOf(bytes) ?? videoTypeOf(bytes) ?? soundTypeOf(bytes)
  if (type === undefined) {
    await chunks.return()
    throw new NoPictureError('It is no picture')
  }
  return { type, length, chunks: followedBy(read, chunks) }
}

async function* followedBy(
  first: readonly Uint8Array[],
  rest: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* first
    yield* rest
  } finally {
    await rest.return()
  }
}
