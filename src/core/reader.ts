import type { Sql } from './sql.ts'

/** What a reader reads from. */
export interface ReadStore {
  readonly sql: Sql
  /** Reads another reader's value, in the same turns: `yield* store.use(subscribersOf, channelId)`. */
  use<Key, Value>(reader: Reader<Key, Value>, key: Key): Steps<Value>
}

/** What a reader does, interrupted at each `yield`. It may say how many rows would have taken as long as its work beside the store did. */
export type Steps<Value> = Generator<number | undefined, Value>

/** The same where some steps wait for another store: such a step is a promise, and `next` gets what it was fulfilled with. */
export type AskingSteps<Value> = Generator<number | undefined | Promise<unknown>, Value, unknown>

/** Waits for an answer: `yield* answerTo(promise)`. */
export function* answerTo<Answer>(promise: Promise<Answer>): Generator<Promise<Answer>, Answer, unknown> {
  return (yield promise) as Answer
}

/** Does steps at once, whose work is limited otherwise. */
export function atOnce<Value>(steps: Steps<Value>): Value {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** How a fact is found. It depends on the store and on its key alone: not on a clock, nor on who asks. */
export interface Reader<Key, Value> {
  readonly name: string
  /**
   * Whether the command for which it was read in several turns takes its value though something has changed meanwhile. Only for what is
   * looked at: never where the value decides who may do what, or what is written.
   */
  readonly mayLag?: boolean
  /**
   * Whether it may keep where it is in tens of thousands of places while it is interrupted: then few of an account are under way, and its values
   * are not kept for others, who hardly ask for the same.
   */
  readonly keepsMuch?: boolean
  /**
   * Puts a value right of which something has changed while it was read in several turns; undefined where it must be read anew. A reader that
   * has this is too large for one turn: if its values never can be put right, the command is refused with 503.
   */
  patch?(sql: Sql, key: Key, value: Value): Value | undefined
  /** Returns the key as text, as which it is compared. */
  key(key: Key): string
  /** Each `yield` is a place where a turn may end: some hundred rows after the last one. Nothing that it has read is out of date then. */
  read(store: ReadStore, key: Key): Steps<Value>
}

/** Declares a reader (docs/architecture.md#the-engine). Its `read` holds no resources: the generator may be given up at any `yield`. */
export function defineReader<Key, Value>(reader: Reader<Key, Value>): Reader<Key, Value> {
  return reader
}
