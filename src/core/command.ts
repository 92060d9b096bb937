import type { RealmTransaction, RealmView } from './realm-transaction.ts'

/** The bulk part of a message, as D1 keeps it. */
export interface MessageBody {
  readonly id: number
  /** Counts content edits; the message index has the same number. */
  readonly version: number
  readonly content: string
  readonly renderedContent: string
  /**
   * Edits of the content, newest first; [] when there were none. Moves stand in the index: see
   * domain/messages/edit-history.ts, which puts the two together.
   */
  readonly editHistory: readonly unknown[]
}

/** Reads message bodies, from the log's tail or from D1. Absent ones are left out. */
export interface BodyReader {
  read(ids: readonly number[]): Promise<Map<number, MessageBody>>
}

/**
 * What an operation does in the realm object: `load` may wait and holds nothing; `apply` decides and
 * changes in one synchronous transaction. `apply` throws StaleError when what was loaded is out of date.
 */
export interface Command<Context, Params, Loaded, Result> {
  readonly load?: (bodies: BodyReader, view: RealmView, context: Context, params: Params) => Promise<Loaded>
  readonly apply: (tx: RealmTransaction, context: Context, params: Params, loaded: Loaded) => Result
  /**
   * Messages whose bodies the answer is completed with in the Worker. Those that D1 may not have yet
   * travel with the result, so that one call is enough.
   */
  readonly bodiesFor?: (result: Result) => readonly number[]
}
