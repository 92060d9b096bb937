import { ServiceUnavailableError } from '../core/errors.ts'
import type { Pause } from '../core/realm-transaction.ts'
import type { ReadValue } from './value-cache.ts'

/** Number of times that a change is suspended for one reader. Then that is read in the turn of the change. */
const SUSPENDED_AT_MOST = 4
/** Number of times that a change is suspended for what another store has, where that changes each time. */
const FETCHED_AT_MOST = 10

/** Thrown by `use` when the turn's meter is spent: the change is rolled back, the reader goes on in turns of its own, and the change runs again. */
export class Suspended extends Error {
  readonly finish: (pause: Pause) => Promise<void>
  /** As `Reader.keepsMuch`. */
  readonly keepsMuch: boolean
  /** Whether it waits for another store, and takes no turns. */
  readonly isFetch: boolean

  constructor(finish: (pause: Pause) => Promise<void>, { keepsMuch = false, isFetch = false } = {}) {
    super()
    this.name = 'Suspended'
    this.finish = finish
    this.keepsMuch = keepsMuch
    this.isFetch = isFetch
  }
}

/** What a change that may be suspended knows of the times that it ran before. */
export class Suspensions {
  readonly #counts = new Map<string, number>()
  /** What was read for it, by reader and key. */
  readonly read = new Map<string, ReadValue>()
  readonly #fetched = new Map<string, { readonly value: unknown; readonly times: number }>()

  /** Counts one more suspension for a reader; false where that is one too many. */
  count(reader: string): boolean {
    const before = this.#counts.get(reader) ?? 0
    this.#counts.set(reader, before + 1)
    return before < SUSPENDED_AT_MOST
  }

  /**
   * Returns what another store has, if it was fetched for the change and is right.
   * @throws Suspended until then
   * @throws ServiceUnavailableError (503) when it is wrong too often
   */
  fetched<Value>(name: string, isRight: (value: Value) => boolean, ask: () => Promise<Value>): Value {
    const before = this.#fetched.get(name)
    if (before && isRight(before.value as Value)) return before.value as Value
    const times = (before?.times ?? 0) + 1
    if (times > FETCHED_AT_MOST) throw new ServiceUnavailableError()
    throw new Suspended(
      async () => {
        this.#fetched.set(name, { value: await ask(), times })
      },
      { isFetch: true },
    )
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

/** A change that takes several commits: a generator, each `yield` of which is one. It knows nothing of how they are made. */
export class LongChange<Part, Result> {
  readonly #commits: Generator<Part, Result, unknown>
  #next: Part | undefined
  #over: { readonly result: Result } | undefined

  /** @throws what refuses the change before its first commit */
  constructor(commits: Generator<Part, Result, unknown>) {
    this.#commits = commits
    this.#step(commits.next())
  }

  /** The commit that is to be made; undefined when nothing is to be done, and the result alone is left to be given. */
  get next(): Part | undefined {
    return this.#next
  }

  /**
   * Goes on with what a commit has returned, at the end of its transaction, so that what belongs to the last commit can be added to it.
   * Returns the result after the last one.
   * @throws Error when the commit was made before: a generator cannot be set back, so nothing may run it again after this.
   */
  goOn(made: Part | undefined, returned: unknown): { readonly result: Result } | undefined {
    if (made !== this.#next) throw new Error('A commit of a change was not stored, and is lost')
    if (made !== undefined) this.#step(this.#commits.next(returned))
    return this.#over
  }

  #step({ done, value }: IteratorResult<Part, Result>): void {
    this.#next = done ? undefined : value
    if (done) this.#over = { result: value }
  }
}
