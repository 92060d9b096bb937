/** What a picture must fit into, in pixels. */
export interface Bounds {
  readonly maxWidth: number
  readonly maxHeight: number
}

/**
 * The picture as it is shown, no larger than the bounds and never enlarged: WebP, with what is transparent.
 * Of one that moves the first frame. Undefined when it cannot be decoded: broken, or too large.
 */
export async function fitInside(_bytes: Uint8Array, _bounds: Bounds): Promise<Uint8Array | undefined> {
  return undefined
}

/**
 * The middle of the picture as a square of `size` pixels, enlarged where it is smaller: PNG. Undefined as for
 * `fitInside`.
 */
export async function cropSquare(_bytes: Uint8Array, _size: number): Promise<Uint8Array | undefined> {
  return undefined
}
