import { ISOLATE } from '../core/budgets.ts'
import { hasLetters } from './read-bytes.ts'

/** A size in pixels, as stored in the file. */
export interface StoredSize {
  readonly width: number
  readonly height: number
}

/** Pixels in memory: rows from the top; red, green, blue and alpha, one byte each. */
export interface Pixels extends StoredSize {
  readonly data: Uint8ClampedArray<ArrayBuffer>
}

/** A decoded picture, valid until `release` frees its memory, which would otherwise wait for garbage collection. */
export interface Decoded extends Pixels {
  release?(): void
}

/**
 * Limit of a picture decoded here, enough for a screen of 1920 by 1080. Decoders do not pause, and take about 0.1 s for one of this size;
 * with their own buffers it takes up to ISOLATE.picture bytes.
 */
const MAX_PIXELS = 2_100_000

/** Decodes a file whose header has been read; of an animation, the first frame. @throws BrokenImageError */
export type Decode = (
  bytes: Uint8Array,
  facts: StoredSize & { readonly isAnimated: boolean },
) => Decoded | Promise<Decoded>

/** Thrown for a picture that cannot be decoded. */
export class BrokenImageError extends Error {}

/** Thrown for a picture to be decoded elsewhere, if at all: it is too large, or in a format that the decoder here does not know. */
export class NotHereError extends BrokenImageError {}

/**
 * Refuses a picture too large to be decoded here: decoders trust a header that declares a huge picture, and would crash the isolate.
 * @throws NotHereError
 */
export function requireSmallEnough({ width, height }: StoredSize): void {
  if (!(width * height <= MAX_PIXELS)) throw new NotHereError('The picture is too large')
}

/** Refuses a picture whose decoding would take more memory than the file itself leaves. @throws NotHereError */
export function requireMemory(bytes: number): void {
  if (!(bytes <= ISOLATE.picture)) throw new NotHereError('The picture takes too much memory')
}

/** Decodes a picture, and converts any error of a library. @throws BrokenImageError */
export function orBroken<Result>(decode: () => Result): Result {
  try {
    return decode()
  } catch (error) {
    throw new BrokenImageError('The decoder broke off', { cause: error })
  }
}

/** Types that every browser shows as a picture and cannot run. */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif' | 'image/bmp'

/** Returns the type of a file by its first 32 bytes; undefined if unknown. */
export function pictureTypeOf(bytes: Uint8Array): PictureType | undefined {
  if (hasLetters(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'image/png'
  if (hasLetters(bytes, 0, '\xff\xd8\xff')) return 'image/jpeg'
  if (hasLetters(bytes, 0, 'GIF87a') || hasLetters(bytes, 0, 'GIF89a')) return 'image/gif'
  if (hasLetters(bytes, 0, 'RIFF') && hasLetters(bytes, 8, 'WEBP')) return 'image/webp'
  if (hasLetters(bytes, 4, 'ftypavi') && (hasLetters(bytes, 11, 'f') || hasLetters(bytes, 11, 's')))
    return 'image/avif'
  // Two letters would match any text that starts with them; the four reserved bytes of a BMP header are zero.
  if (hasLetters(bytes, 0, 'BM') && hasLetters(bytes, 6, '\0\0\0\0')) return 'image/bmp'
  return undefined
}

export type VideoType = 'video/mp4' | 'video/quicktime' | 'video/webm'

/** Brands of the ISO base media format used for films; pictures have others. */
const FILMS = [
  'isom',
  'iso2',
  'iso4',
  'iso5',
  'iso6',
  'mp41',
  'mp42',
  'avc1',
  'M4V ',
  'MSNV',
  'dash',
  '3gp4',
  '3gp5',
]

/** Returns the type of a video by its first 12 bytes; undefined if browsers do not play it. */
export function videoTypeOf(bytes: Uint8Array): VideoType | undefined {
  if (hasLetters(bytes, 4, 'ftypqt  ')) return 'video/quicktime'
  if (FILMS.some((brand) => hasLetters(bytes, 4, `ftyp${brand}`))) return 'video/mp4'
  return hasLetters(bytes, 0, '\x1a\x45\xdf\xa3') ? 'video/webm' : undefined
}

export type SoundType = 'audio/aac' | 'audio/flac' | 'audio/mpeg' | 'audio/wav'

/** Returns the type of a sound by its first 12 bytes; undefined if browsers do not play it. */
export function soundTypeOf(bytes: Uint8Array): SoundType | undefined {
  if (hasLetters(bytes, 0, 'fLaC')) return 'audio/flac'
  if (hasLetters(bytes, 0, 'RIFF') && hasLetters(bytes, 8, 'WAVE')) return 'audio/wav'
  if (hasLetters(bytes, 0, 'ID3')) return 'audio/mpeg'
  // A frame begins with eleven bits set; the two of its layer are zero in AAC alone.
  if (bytes[0] !== 0xff || (bytes[1]! & 0xe0) !== 0xe0) return undefined
  return (bytes[1]! & 0x06) === 0 ? 'audio/aac' : 'audio/mpeg'
}
