import { log } from '../core/log.ts'
import type { Pause } from '../core/pauses.ts'
import { LANES, type LaneName } from './lanes.ts'

/** The runs under way in each lane. They need not survive an eviction, since started work has a lease in its table. */
export class WorkInLanes {
  readonly #underWay = new Map<LaneName, number>()
  /** Number of runs that have begun since the last pause. */
  readonly #begun = new Map<LaneName, number>()
  readonly #realmId: number

  constructor(realmId: number) {
    this.#realmId = realmId
  }

  isFree(lane: LaneName): boolean {
    return this.#count(lane) < LANES[lane].atOnce
  }

  get isIdle(): boolean {
    return [...this.#underWay.values()].every((count) => count === 0)
  }

  /** Occupies a slot of the lane until `work` has ended; then `next` may use it, in the same turn. */
  begin(lane: LaneName, work: () => Promise<void>, next: () => void): void {
    this.#underWay.set(lane, this.#count(lane) + 1)
    this.#begun.set(lane, (this.#begun.get(lane) ?? 0) + 1)
    void this.#run(lane, work, next)
  }

  /** Whether one turn has begun as much as it may. A job that ends without waiting is followed by the next one in the same turn. */
  isSliceOver(lane: LaneName): boolean {
    return (this.#begun.get(lane) ?? 0) >= LANES[lane].jobsPerSlice
  }

  /** Occupies a slot during a pause, after which a new turn begins. */
  rest(lane: LaneName, pause: Pause, next: () => void): void {
    const untilNewSlice = async () => {
      await pause()
      this.#begun.delete(lane)
    }
    this.begin(lane, untilNewSlice, next)
  }

  async #run(lane: LaneName, work: () => Promise<void>, next: () => void): Promise<void> {
    try {
      await work()
    } catch (error) {
      log('error', 'work in a lane failed', { realm_id: this.#realmId, lane, error })
    }
    this.#underWay.set(lane, this.#count(lane) - 1)
    try {
      next()
    } catch (error) {
      log('error', 'work in a lane failed', { realm_id: this.#realmId, lane, error })
    }
  }

  #count(lane: LaneName): number {
    return this.#underWay.get(lane) ?? 0
  }
}

/** A failure that no retry can mend. The text is for people. */
export class FinalFailure extends Error {}
