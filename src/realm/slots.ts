/** How much may be done at once of a kind of work, and is being done. Nothing of it must last. */
export class Slots {
  readonly #atOnce: number
  #taken = 0

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  get isFree(): boolean {
    return this.#taken < this.#atOnce
  }

  get isIdle(): boolean {
    return this.#taken === 0
  }

  take(): void {
    this.#taken += 1
  }

  leave(): void {
    this.#taken -= 1
  }
}
