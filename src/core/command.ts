import type { ApiError } from './errors.ts'
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

/**
 * In bytes of text, or characters of it: so much of messages' bodies is held at once, and one body more. A message may have
 * ten thousand characters, their HTML and a long history, and a page thousands of messages.
 */
export const BODIES_AT_ONCE = 4_000_000

/**
 * Reads message bodies, from the log's tail or from D1. Ids ascending; those without a body are left out,
 * and so is what does not fit into BODIES_AT_ONCE: whoever wants it asks for it afterwards. The first fits.
 */
export interface BodyReader {
  read(ids: readonly number[]): Promise<Map<number, MessageBody>>
}

/** A stretch of message ids, both ends left out, to be searched from one end. */
export interface SearchRange {
  readonly above: number
  readonly below: number
  readonly newestFirst: boolean
  /** How many ids to find at most. */
  readonly limit: number
}

export interface SearchPage {
  /** In the order in which they were looked for. */
  readonly ids: readonly number[]
  /** The id up to which nothing was left out; null when the whole range was searched. */
  readonly reached: number | null
}

/** Finds messages by their source, whoever may see them. Needles: lower case; all must be contained. */
export interface MessageSearch {
  search(needles: readonly string[], range: SearchRange): Promise<SearchPage>
}

/** What `load` can reach beside the realm. */
export interface BodyStore extends BodyReader, MessageSearch {}

/**
 * What an operation does in the realm object: `load` may wait and holds nothing; `apply` decides and
 * changes in one synchronous transaction. `apply` throws StaleError when what was loaded is out of date.
 */
export interface Command<Context, Params, Loaded, Result> {
  readonly load?: (bodies: BodyStore, view: RealmView, context: Context, params: Params) => Promise<Loaded>
  readonly apply: (tx: RealmTransaction, context: Context, params: Params, loaded: Loaded) => Result
  /** What a refusal has for a consequence: in a transaction of its own, after that of `apply` is undone. */
  readonly afterRefusal?: (tx: RealmTransaction, context: Context, params: Params, refusal: ApiError) => void
  /**
   * Messages whose bodies the answer is completed with in the Worker. Those that D1 may not have yet
   * travel with the result, so that one call is enough.
   */
  readonly bodiesFor?: (result: Result) => readonly number[]
}
