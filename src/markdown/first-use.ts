/** Work that an isolate does once and keeps, before a text can be rendered. */
export interface FirstUse {
  readonly name: string
  /** About half a millisecond. */
  readonly weight: number
  use(): void
}
