import { ROWS_OF_SLICE } from '../core/budgets.ts'
import { ServiceUnavailableError } from '../core/errors.ts'
import { log } from '../core/log.ts'
import type { Pause } from '../core/pauses.ts'
import type { AskingSteps, Reader, ReadStore, Steps } from '../core/reader.ts'
import type { Sql } from '../core/sql.ts'
import { Sources } from './stamps.ts'
import type { StoreWatch } from './store-watch.ts'
import { Suspended, type Suspensions } from './suspended.ts'
import type { ReadValue, ValueCache } from './value-cache.ts'

/** Rows that a reader may read in a turn. */
const LIMITS: { rowsOfTurn: number } = { rowsOfTurn: ROWS_OF_SLICE }
/** Logged where a change cannot be suspended, or was suspended too often. */
export const OVERLONG = 'A reader took more than a turn'
/** Milliseconds after which a reader that nobody drives is abandoned: its callers have gone. */
const LEFT_AFTER_MS = 5_000

/** The state of a transaction that uses a reader. */
export interface UseIn {
  readonly sql: Sql
  readonly meter: Meter
  /** Absent where a suspended change is not run again. */
  readonly suspensions?: Suspensions | undefined
}

/**
 * Readers of some keys that are under way. Each command that waits drives them on in a turn of its own, so they depend on no single
 * request.
 */
interface Run {
  readonly steps: Steps<readonly ReadValue[]>
  isDone: boolean
  read: readonly ReadValue[] | undefined
  /** Number of commands that wait for it. */
  waiting: number
  /** Time at which it was driven last, in milliseconds. */
  drivenAt: number
}

/** The values of readers: kept while current, read within the turn's meter, or read in turns of their own. */
export class Readings {
  readonly #watch: StoreWatch
  readonly #sql: Sql
  /** Tests set smaller ones. */
  limits: typeof LIMITS
  readonly #values: ValueCache
  readonly #runs = new Map<string, Run>()

  /** `sql`: for readers that continue in turns of their own. */
  constructor(watch: StoreWatch, sql: Sql, limits = LIMITS) {
    this.#watch = watch
    this.#sql = sql
    this.limits = limits
    this.#values = watch.values
  }

  meter(): Meter {
    return new Meter(() => rowsOf(this.#sql), this.limits.rowsOfTurn)
  }

  /** Returns the value of a reader as of now: see `useAll`. */
  use<Key, Value>(reader: Reader<Key, Value>, key: Key, use: UseIn): Value {
    return this.useAll(reader, [key], use)[0]!
  }

  /**
   * Returns the values of a reader as of now.
   * @throws Suspended when they take more than the meter has left: then all missing ones are read in the same turns
   */
  useAll<Key, Value>(reader: Reader<Key, Value>, keys: readonly Key[], use: UseIn): Value[] {
    return keys.map((key, at) => {
      const name = nameOf(reader, key)
      const known = this.#values.find(name) ?? this.#readBefore(reader, key, use)
      const suspend = () => this.#suspend(reader, keys.slice(at), use)
      if (!known && at > 0 && use.meter.isSpent) suspend()
      const { value, sources } = known ?? this.#readNow(reader, key, use, suspend)
      // The value may be a part of one that is kept.
      this.#watch.noteSources(sources)
      return value as Value
    })
  }

  /** Returns what was read for a suspended transaction, if it is still right or can be patched. */
  #readBefore<Key>(
    reader: Reader<Key, unknown>,
    key: Key,
    { sql, suspensions }: UseIn,
  ): Pick<ReadValue, 'value' | 'sources'> | undefined {
    const read = suspensions?.read.get(nameOf(reader, key))
    if (!read || reader.allowStale || read.sources.areCurrent(this.#watch.stamps)) return read
    const value = reader.patch?.(sql, key, read.value)
    return value === undefined ? undefined : { value, sources: read.sources }
  }

  /** Reads a value while the meter has room. */
  #readNow<Key>(reader: Reader<Key, unknown>, key: Key, use: UseIn, suspend: () => void): ReadValue {
    const { meter, sql } = use
    const steps = this.#read(reader, key, sql)
    let isOver = false
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) {
        if (isOver) log('warn', OVERLONG, { reader: reader.name })
        this.#keep(nameOf(reader, key), step.value)
        return step.value
      }
      meter.spend(step.value)
      isOver = meter.isSpent
      if (isOver) suspend()
    }
  }

  /**
   * @throws Suspended unless the transaction has to read everything in its turn
   * @throws ServiceUnavailableError (503) when that would take too long
   */
  #suspend<Key>(reader: Reader<Key, unknown>, keys: readonly Key[], { suspensions }: UseIn): void {
    if (!suspensions) return
    if (!suspensions.count(reader.name)) {
      if (reader.patch) throw new ServiceUnavailableError()
      return
    }
    throw new Suspended(async (pause) => {
      const names = keys.map((key) => nameOf(reader, key))
      const read = await this.#finish(names.join(), () => this.#readAll(reader, keys), pause)
      // Values that are too large to be kept.
      for (const [at, value] of read?.entries() ?? []) suspensions.read.set(names[at]!, value)
    }, reader)
  }

  /** Reads the values of many keys that are not known yet. */
  *#readAll<Key>(reader: Reader<Key, unknown>, keys: readonly Key[]): Steps<readonly ReadValue[]> {
    const all: ReadValue[] = []
    for (const key of keys) all.push(yield* this.#findOrRead(reader, key, this.#sql))
    return all
  }

  /** Drives steps that wait for another store to their end, in turns. */
  async drive<Value>(steps: AskingSteps<Value>, pause: Pause): Promise<Value> {
    let meter = this.meter()
    for (let answer: unknown; ; ) {
      const step = steps.next(answer)
      if (step.done) return step.value
      answer = undefined
      if (step.value instanceof Promise) answer = await step.value
      else {
        meter.spend(step.value)
        if (!meter.isSpent) continue
        await pause()
      }
      meter = this.meter()
    }
  }

  /** Drives a run to its end, in turns. Returns what it has read; undefined if it failed while another command drove it. */
  async #finish(
    name: string,
    begin: () => Steps<readonly ReadValue[]>,
    pause: Pause,
  ): Promise<readonly ReadValue[] | undefined> {
    this.#giveUpLeft()
    const run = this.#runs.get(name) ?? this.#enter(name, begin())
    run.waiting += 1
    try {
      while (!run.isDone) {
        await pause()
        if (!run.isDone) this.#drive(name, run)
      }
      await pause()
    } finally {
      run.waiting -= 1
      // The run may have been refused a turn.
      if (run.waiting === 0) this.#giveUp(name, run)
    }
    return run.read
  }

  #enter(name: string, steps: Run['steps']): Run {
    const run: Run = { steps, isDone: false, read: undefined, waiting: 0, drivenAt: Date.now() }
    this.#runs.set(name, run)
    return run
  }

  #giveUp(name: string, run: Run): void {
    if (this.#runs.get(name) === run) this.#runs.delete(name)
  }

  /** Abandons runs that nobody has driven for long: the platform ends a command silently when its client has gone. */
  #giveUpLeft(): void {
    for (const [name, run] of this.#runs) {
      if (Date.now() - run.drivenAt >= LEFT_AFTER_MS) this.#giveUp(name, run)
    }
  }

  /** Drives a run on for one turn. */
  #drive(name: string, run: Run): void {
    const meter = this.meter()
    run.drivenAt = Date.now()
    run.isDone = true
    try {
      do {
        const step = run.steps.next()
        if (step.done) {
          run.read = step.value
          return
        }
        meter.spend(step.value)
      } while (!meter.isSpent)
      run.isDone = false
    } finally {
      if (run.isDone) this.#giveUp(name, run)
    }
  }

  /** Keeps a value, unless it is out of date already. */
  #keep(name: string, read: ReadValue): void {
    if (!read.largeState && read.sources.areCurrent(this.#watch.stamps)) this.#values.keep(name, read)
  }

  *#read<Key, Value>(reader: Reader<Key, Value>, key: Key, sql: Sql): Steps<ReadValue> {
    const sources = new Sources()
    const steps = reader.read(this.#storeOf(sources, sql), key)
    for (;;) {
      const step = this.#watch.reading(sources, () => steps.next())
      if (step.done) return { value: step.value, sources, largeState: reader.largeState }
      yield step.value
    }
  }

  #storeOf(sources: Sources, sql: Sql): ReadStore {
    return { sql, use: (reader, key) => this.#useWithin(sources, reader, key, sql) }
  }

  *#useWithin<Key, Value>(outer: Sources, reader: Reader<Key, Value>, key: Key, sql: Sql): Steps<Value> {
    const read = yield* this.#findOrRead(reader, key, sql)
    outer.addAll(read.sources)
    return read.value as Value
  }

  *#findOrRead<Key>(reader: Reader<Key, unknown>, key: Key, sql: Sql): Steps<ReadValue> {
    const name = nameOf(reader, key)
    const known = this.#values.find(name)
    if (known) return known
    const read = yield* this.#read(reader, key, sql)
    this.#keep(name, read)
    return read
  }
}

function nameOf<Key>(reader: Reader<Key, unknown>, key: Key): string {
  return `${reader.name} ${reader.key(key)}`
}

function rowsOf({ counts: { read, written } }: Sql): number {
  return read + written
}

/** Measures the work of a turn in rows that the store reads and writes. */
export class Meter {
  readonly #rows: () => number
  #limit: number

  /** `rows` returns the rows of all turns so far; `budget`: those of this turn. */
  constructor(rows: () => number, budget: number) {
    this.#rows = rows
    this.#limit = rows() + budget
  }

  get isSpent(): boolean {
    return this.#rows() >= this.#limit
  }

  /** Counts work outside the store, in rows that take as long. */
  spend(rows: number | undefined): void {
    this.#limit -= rows ?? 0
  }
}
