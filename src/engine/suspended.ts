import type { Pause } from '../core/realm-transaction.ts'
import type { ReadValue } from './value-cache.ts'

/** Number of times that a change is suspended for one reader. Then that is read in the turn of the change. */
const SUSPENDED_AT_MOST = 4

/** Thrown by `use` when the turn's meter is spent: the change is rolled back, the reader goes on in turns of its own, and the change runs again. */
export class Suspended extends Error {
  readonly finish: (pause: Pause) => Promise<void>
  /** As `Reader.keepsMuch`. */
  readonly keepsMuch: boolean

  constructor(finish: (pause: Pause) => Promise<void>, keepsMuch = false) {
    super()
    this.name = 'Suspended'
    this.finish = finish
    this.keepsMuch = keepsMuch
  }
}

/** What a change that may be suspended knows of the times that it ran before. */
export class Suspensions {
  readonly #counts = new Map<string, number>()
  /** What was read for it, by reader and key. */
  readonly read = new Map<string, ReadValue>()

  /** Counts one more suspension for a reader; false where that is one too many. */
  count(reader: string): boolean {
    const before = this.#counts.get(reader) ?? 0
    this.#counts.set(reader, before + 1)
    return before < SUSPENDED_AT_MOST
  }
}

/** Runs a change again as often as it is suspended; `finish` reads what it waits for. */
export function untilNotSuspended<Value>(
  run: () => Value,
  finish: (suspended: Suspended) => Promise<void>,
): Value | Promise<Value> {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof Suspended)) throw error
    return finish(error).then(() => untilNotSuspended(run, finish))
  }
}
