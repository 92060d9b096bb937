import { DECODED_PICTURE } from '../core/worker-budgets.ts'
import type { Turns } from './turns.ts'

/** A size in pixels, as stored in the file. */
export interface StoredSize {
  readonly width: number
  readonly height: number
}

/** Pixels in memory: rows from the top; red, green, blue and alpha, a byte each. */
export interface Pixels extends StoredSize {
  readonly data: Uint8ClampedArray<ArrayBuffer>
}

/** A decoded picture, valid until `release` frees its memory, which would otherwise wait to be collected. */
export interface Decoded extends Pixels {
  release?(): void
}

/** A row of a picture: its pixels in `data`, from `start` on, until the next is asked for. */
interface PixelRow {
  readonly data: Uint8ClampedArray | Uint8Array
  readonly start: number
}

/** A picture that need not be in memory as a whole: its rows from the top, once. */
export interface PictureInRows extends StoredSize {
  /**
   * Decodes in turns.
   * @throws BrokenImageError
   */
  rows(turns: Turns): AsyncGenerator<PixelRow, void, undefined>
}

/**
 * Decodes a file whose header has been read; of an animation the first frame. A picture that is much larger
 * than needed may be returned smaller.
 *
 * @throws BrokenImageError
 */
export type Decode = (
  bytes: Uint8Array,
  facts: StoredSize & { readonly isAnimated: boolean },
) => Decoded | Promise<Decoded>

/** Thrown for a picture that cannot be decoded. */
export class BrokenImageError extends Error {}

/**
 * Refuses a picture whose decoding would take more memory than there is, beside the file itself: decoders trust a header that
 * declares a huge picture, and end the isolate.
 * @throws BrokenImageError
 */
export function requireMemory(bytes: number): void {
  if (!(bytes <= DECODED_PICTURE)) throw new BrokenImageError('The picture is too large')
}

/**
 * Decodes a picture, and turns any error of a library into one.
 * @throws BrokenImageError
 */
export function orBroken<Result>(decode: () => Result): Result {
  try {
    return decode()
  } catch (error) {
    throw new BrokenImageError('The decoder broke off', { cause: error })
  }
}
