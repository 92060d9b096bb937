import { bothLimits, isSameLimit, type MetLimit } from '../../core/met-limit.ts'

/** The limit of the platform that Workers and the object have met, in memory until owners are told, which has to wait for what it allows. */
export class LimitWatch {
  #met: MetLimit | undefined
  #told: MetLimit | undefined

  note(met: MetLimit): void {
    if (this.#told && isSameLimit(this.#told, met)) return
    this.#met = bothLimits(this.#met, met)
  }

  /** What owners are yet to be told. */
  get untold(): MetLimit | undefined {
    return this.#met
  }

  told(met: MetLimit): void {
    this.#told = met
    this.#met = undefined
  }
}
