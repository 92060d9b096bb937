import { DevRealmObject } from '../../src/dev/realm-object.ts'
import type { CrashPoint } from '../../src/realm/runtime.ts'

export { default } from '../../src/dev/worker.ts'

/** Told from the tests: the clock is turned for everybody, crashes are for one object's next step. */
export const world = {
  /** Seconds added to the clock. */
  clockOffset: 0,
  crashAt: undefined as CrashPoint | undefined,
}

/** The realm object of the tests: it can crash where they say, at the time they say. */
export class RealmObject extends DevRealmObject {
  protected override now(): number {
    return Date.now() / 1_000 + world.clockOffset
  }

  protected override reached(point: CrashPoint): void {
    if (world.crashAt !== point) return
    world.crashAt = undefined
    this.ctx.abort(`crash at ${point}`)
  }
}
