/** The box that a picture must fit into, in pixels. */
export interface ImageBounds {
  readonly maxWidth: number
  readonly maxHeight: number
  /** `webp` (lossy) by default. */
  readonly format?: 'webp' | 'png'
}

/** Resizes pictures. Needs compiled code, which only a bundle for workerd can load. */
export interface ImageResizer {
  /**
   * Returns the picture as it is displayed, fitted into the bounds, never enlarged, with its transparency; the first frame of an animation.
   * Undefined if the picture cannot be decoded: it is broken, too large, or of an unknown format.
   *
   * @throws ServiceUnavailableError (503) if too many wait, or if Cloudflare Images, which resizes large pictures, does not work at the
   *   moment
   */
  fitInside(bytes: Uint8Array, bounds: ImageBounds): Promise<Uint8Array | undefined>
  /**
   * Returns the middle of the picture as a square PNG of `size` pixels, enlarged if the picture is smaller.
   *
   * @throws as `fitInside`
   */
  cropSquare(bytes: Uint8Array, size: number): Promise<Uint8Array | undefined>
}
