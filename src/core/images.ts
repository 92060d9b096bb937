/** The box that a picture must fit into, in pixels. */
export interface ImageBounds {
  readonly maxWidth: number
  readonly maxHeight: number
  /** `webp` (lossy) by default. */
  readonly format?: 'webp' | 'png'
}

/** Resizes pictures. That needs compiled code, which only a bundle for workerd can load. */
export interface ImageResizer {
  /**
   * Returns the picture as it is displayed, fitted into the bounds, never enlarged, with its transparency. Of
   * an animation, the first frame. Undefined when the picture cannot be decoded: broken, too large, or of an
   * unknown format.
   *
   * @throws ServiceUnavailableError (503) when too many wait for it, or when Cloudflare's Images, which makes large pictures smaller, does not
   *   work now
   */
  fitInside(bytes: Uint8Array, bounds: ImageBounds): Promise<Uint8Array | undefined>
  /**
   * Returns the middle of the picture as a square PNG of `size` pixels, enlarged where the picture is
   * smaller.
   *
   * @throws as `fitInside`
   */
  cropSquare(bytes: Uint8Array, size: number): Promise<Uint8Array | undefined>
}
