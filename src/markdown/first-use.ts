/** Work that an isolate does once, and keeps, before it can render certain texts. */
export interface FirstUse {
  readonly name: string
  /** About half a millisecond. */
  readonly weight: number
  use(): void
}
