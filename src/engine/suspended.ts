import { ServiceUnavailableError } from '../core/errors.ts'
import type { Pause } from '../core/pauses.ts'
import type { ReadValue } from './value-cache.ts'

/** Number of times that a change is suspended for one reader, before the reader runs within the turn of the change. */
const SUSPENDED_AT_MOST = 4
/** Number of times that a change is suspended for data of another store that keeps changing. */
const FETCHED_AT_MOST = 10

/**
 * Thrown by `use` when the turn's meter is spent: the change is rolled back, the reader continues in turns of its own, and the change
 * runs again.
 */
export class Suspended extends Error {
  readonly finish: (pause: Pause) => Promise<void>
  /** As `Reader.largeState`. */
  readonly largeState: boolean
  /** Whether it waits for another store, which takes no turns. */
  readonly isFetch: boolean

  constructor(finish: (pause: Pause) => Promise<void>, { largeState = false, isFetch = false } = {}) {
    super()
    this.name = 'Suspended'
    this.finish = finish
    this.largeState = largeState
    this.isFetch = isFetch
  }
}

/** A change's memory of its suspensions. */
export class Suspensions {
  readonly #counts = new Map<string, number>()
  /** Values that were read for it, by reader and key. */
  readonly read = new Map<string, ReadValue>()
  readonly #fetched = new Map<string, { readonly value: unknown; readonly times: number }>()

  /** Counts a suspension for a reader. False when that is one too many. */
  count(reader: string): boolean {
    const before = this.#counts.get(reader) ?? 0
    this.#counts.set(reader, before + 1)
    return before < SUSPENDED_AT_MOST
  }

  /**
   * Returns data of another store, if it was fetched for the change and is right.
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

/** Runs a change again each time that it is suspended, after `finish` has read what it waits for. */
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

/** A change of several commits: a generator with a `yield` for each commit. It does not know how they are made. */
export class LongChange<Part, Result> {
  readonly #commits: Generator<Part, Result, unknown>
  #next: Part | undefined
  #over: { readonly result: Result } | undefined

  /** @throws what refuses the change before its first commit */
  constructor(commits: Generator<Part, Result, unknown>) {
    this.#commits = commits
    this.#step(commits.next())
  }

  /** The next commit; undefined when all are made and only the result is left. */
  get next(): Part | undefined {
    return this.#next
  }

  /**
   * Continues with what a commit has returned, at the end of its transaction, so that more can be added to the last commit. Returns the
   * result after the last one.
   * @throws Error when the commit was made before: a generator cannot be set back, so it must not run again after this
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
