import type { Sql } from './sql.ts'

/** The store from which readers read. */
export interface ReadStore {
  readonly sql: Sql
  /** Reads another reader's value in the same turns: `yield* store.use(subscribersOf, channelId)`. */
  use<Key, Value>(reader: Reader<Key, Value>, key: Key): Steps<Value>
}

/**
 * A reader's work, interrupted at each `yield`. A yielded number stands for work outside the store: the rows that would have taken as long.
 */
export type Steps<Value> = Generator<number | undefined, Value>

/** Steps that may wait for another store: such a step is a promise, and `next` receives its result. */
export type AskingSteps<Value> = Generator<number | undefined | Promise<unknown>, Value, unknown>

/** Waits for an answer: `yield* answerTo(promise)`. */
export function* answerTo<Answer>(promise: Promise<Answer>): Generator<Promise<Answer>, Answer, unknown> {
  return (yield promise) as Answer
}

/** Runs steps at once, where their work is limited otherwise. */
export function atOnce<Value>(steps: Steps<Value>): Value {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** How a fact is found. It depends only on the store and on its key: not on a clock, nor on the caller. */
export interface Reader<Key, Value> {
  readonly name: string
  /**
   * Whether a command accepts the value although it was read in several turns and something has changed meanwhile. Only for values that are
   * shown: never for one that decides who may do what, or what is written.
   */
  readonly allowStale?: boolean
  /**
   * Whether its state while interrupted may be large: then few run at once for an account, and its values are not kept for others, who
   * would hardly ask for the same.
   */
  readonly largeState?: boolean
  /**
   * Updates a value that changed while it was read in several turns; undefined if it must be read again. A reader with `patch` is too large
   * for one turn: if its value can never be updated, the command is refused with 503.
   */
  patch?(sql: Sql, key: Key, value: Value): Value | undefined
  /** Returns the key as text, for comparison. */
  key(key: Key): string
  /** A turn may end at each `yield`, some hundred rows after the last one. Everything read so far is still current then. */
  read(store: ReadStore, key: Key): Steps<Value>
}

/** Declares a reader (docs/architecture.md#the-engine). Its `read` holds no resources: the generator may be abandoned at any `yield`. */
export function defineReader<Key, Value>(reader: Reader<Key, Value>): Reader<Key, Value> {
  return reader
}
