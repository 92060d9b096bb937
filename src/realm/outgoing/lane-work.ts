import { log } from '../../core/log.ts'
import { LANES, type LaneName } from './lanes.ts'

/**
 * The runs under way in each lane. They need not survive an eviction, since started work is leased in the
 * tables.
 */
export class LaneWork {
  readonly #underWay = new Map<LaneName, number>()
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
    void this.#run(lane, work, next)
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
