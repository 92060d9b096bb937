/** A size in pixels, as they lie in the file. */
export interface StoredSize {
  readonly width: number
  readonly height: number
}
