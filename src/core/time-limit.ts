/** A limited time from now on. It also ends when the clock is set back: by the clock alone it would last for longer. */
export class TimeLimit {
  readonly #began = Date.now()
  readonly #ms: number

  constructor(ms: number) {
    this.#ms = ms
  }

  /** Milliseconds that are left; 0 when it is over. */
  get left(): number {
    return Math.max(this.#ms - Math.abs(Date.now() - this.#began), 0)
  }

  get isOver(): boolean {
    return this.left === 0
  }
}
