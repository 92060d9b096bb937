import type { Sql } from './sql.ts'

/** What a reader reads from. */
export interface ReadStore {
  readonly sql: Sql
  /** Reads another reader's value, in the same turns: `yield* store.use(subscribersOf, channelId)`. */
  use<Key, Value>(reader: Reader<Key, Value>, key: Key): Steps<Value>
}

/** What a reader does, interrupted at each `yield`. It may say how many rows would have taken as long as its work beside the store did. */
export type Steps<Value> = Generator<number | undefined, Value>

/** How a fact is found. It depends on the store and on its key alone: not on a clock, nor on who asks. */
export interface Reader<Key, Value> {
  readonly name: string
  /**
   * Whether the command for which it was read in several turns takes its value though something has changed meanwhile. Only for what is
   * looked at: never where the value decides who may do what, or what is written.
   */
  readonly mayLag?: boolean
  /** Returns the key as text, as which it is compared. */
  key(key: Key): string
  /** Each `yield` is a place where a turn may end: some hundred rows after the last one. Nothing that it has read is out of date then. */
  read(store: ReadStore, key: Key): Steps<Value>
}

/** Declares a reader (docs/architecture.md#the-engine). Its `read` holds no resources: the generator may be given up at any `yield`. */
export function defineReader<Key, Value>(reader: Reader<Key, Value>): Reader<Key, Value> {
  return reader
}
