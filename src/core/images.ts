/** The box that a picture must fit into, in pixels. */
export interface ImageBounds {
  readonly maxWidth: number
  readonly maxHeight: number
  /** `webp` (lossy) if nothing is said. */
  readonly format?: 'webp' | 'png'
}

/** Makes other sizes of pictures. It needs compiled code, which only what is bundled for workerd can load. */
export interface ImageResizer {
  /**
   * The picture as it is shown, no larger than the bounds and never enlarged, with what is transparent. Of one
   * that moves the first frame. Undefined when it cannot be decoded: broken, too large, of an unheard-of form.
   */
  fitInside(bytes: Uint8Array, bounds: ImageBounds): Promise<Uint8Array | undefined>
  /** The middle of the picture as a square PNG of `size` pixels, enlarged where it is smaller. */
  cropSquare(bytes: Uint8Array, size: number): Promise<Uint8Array | undefined>
}
