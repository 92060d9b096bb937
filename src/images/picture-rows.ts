import type { StoredSize } from './stored-size.ts'

/** A picture that cannot be decoded. */
export class BrokenImageError extends Error {}

/** A row of more would itself be large, and more pixels would take seconds. */
const LONGEST_SIDE = 20_000
const MOST_PIXELS = 64_000_000

/** @throws BrokenImageError for a picture that is too large, whatever it holds. */
export function requireDecodable({ width, height }: StoredSize): void {
  if (width > LONGEST_SIDE || height > LONGEST_SIDE || width * height > MOST_PIXELS) {
    throw new BrokenImageError('The picture is too large')
  }
}

/** Pixels in memory: rows from the top; red, green, blue and alpha, a byte each. */
export interface Pixels extends StoredSize {
  readonly data: Uint8ClampedArray
}

/**
 * Takes a picture row by row while it is decoded, so that it is nowhere as a whole: an isolate has 128 MB, of
 * which a picture of a phone would take half.
 */
export interface RowTaker {
  /**
   * Pixels of row `y`: the first `count` of `rgba`, in the columns `left`, `left + step` and so on. Rows may
   * come in any order. They are read at once, so that the array can be used again.
   */
  take(y: number, rgba: Uint8ClampedArray, left: number, step: number, count: number): void
}

/**
 * Decodes a file whose header has been read.
 *
 * @param wanted the size to which the whole picture will be shrunk: it may be given in any size above.
 * @param open called once with the size in which it is given. Where that is no whole number the last row or
 *   column stands for a part of a pixel.
 * @throws BrokenImageError
 */
export type Decode = (bytes: Uint8Array, wanted: StoredSize, open: (size: StoredSize) => RowTaker) => void
