import { DECODED_PICTURE } from '../core/budgets.ts'

/** A size in pixels, as they lie in the file. */
export interface StoredSize {
  readonly width: number
  readonly height: number
}

/** Pixels in memory: rows from the top; red, green, blue and alpha, a byte each. */
export interface Pixels extends StoredSize {
  readonly data: Uint8ClampedArray<ArrayBuffer>
}

/** The picture that a decoder gives, for as long as nobody calls `release`: memory that would else wait to be collected. */
export interface Decoded extends Pixels {
  release?(): void
}

/**
 * Decodes a file whose header has been read; of one that moves the first frame. A picture that is much larger
 * than anybody wants to see it here may be given smaller.
 *
 * @throws BrokenImageError
 */
export type Decode = (
  bytes: Uint8Array,
  facts: StoredSize & { readonly isAnimated: boolean },
) => Decoded | Promise<Decoded>

/** A picture that cannot be decoded. */
export class BrokenImageError extends Error {}

/**
 * Decoders believe a header that speaks of a huge picture, and end the isolate.
 * @throws BrokenImageError when decoding would take more memory than there is.
 */
export function requireMemory(bytes: number): void {
  if (!(bytes <= DECODED_PICTURE)) throw new BrokenImageError('The picture is too large')
}

/**
 * Decodes a picture, and turns whatever a library throws at a broken one into one error.
 * @throws BrokenImageError
 */
export function orBroken<Result>(decode: () => Result): Result {
  try {
    return decode()
  } catch (error) {
    throw new BrokenImageError('The decoder broke off', { cause: error })
  }
}
