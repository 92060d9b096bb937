import type { WalkBudgets } from './budgets.ts'
import type { ApiError } from './errors.ts'
import type { D1Write, RealmTransaction, RealmView, StaleError } from './realm-transaction.ts'

/** The bulk part of a message, as D1 keeps it. */
export interface MessageBody {
  readonly id: number
  /** Goes up when the text or its rendering changes; the message index has the same number. */
  readonly version: number
  readonly content: string
  readonly renderedContent: string
  /**
   * Edits of the content, newest first; [] when there were none. Moves stand in the index: see
   * domain/messages/edit/edit-history.ts, which puts the two together.
   */
  readonly editHistory: readonly unknown[]
  /** Whether the text is lost: a sentence stands in its place (core/lost-body.ts). */
  readonly isLost?: true
}

/** The body that belongs to a message as the realm object knows it. */
export interface BodyVersion {
  readonly id: number
  readonly version: number
  /** Whether it was short when it was sent: most likely it still is, and then it is read at a third of the cost. */
  readonly isShort?: boolean
}

/** One in whatever version there is. */
export type WantedBody = Pick<BodyVersion, 'id' | 'isShort'>

/**
 * Reads message bodies, from the log's tail or from D1. Ids ascending; of those without a body there is one of
 * version -1. What does not fit into BODIES_AT_ONCE is left out: whoever wants it asks for it afterwards. The
 * first fits.
 */
export interface BodyReader {
  read(wanted: readonly WantedBody[]): Promise<Map<number, MessageBody>>
  /**
   * Reads bodies of these very versions: others are left out, since the realm has moved on. Where it has not, as it says when
   * it is asked again, the body is lost, and something stands in its place.
   */
  readVersions(wanted: readonly BodyVersion[]): Promise<Map<number, MessageBody>>
}

/** A range of message ids, both ends left out, to be searched from one end. */
export interface SearchRange {
  readonly above: number
  readonly below: number
  readonly newestFirst: boolean
  /** The number of ids to find at most. */
  readonly limit: number
}

export interface SearchPage {
  /** The ids in the order in which they were looked for. */
  readonly ids: readonly number[]
  /** The id up to which nothing was left out; null when the whole range was searched. */
  readonly reached: number | null
}

/** Finds messages by their source, whoever may see them. Needles: lower case; all must be contained. */
export interface MessageSearch {
  search(needles: readonly string[], range: SearchRange): Promise<SearchPage>
  /** The questions that are answered with yes, in one query. */
  contained<Question extends SearchQuestion>(questions: readonly Question[]): Promise<Question[]>
}

/** Does the source of a message contain all of these? Lower case. */
export interface SearchQuestion {
  readonly id: number
  readonly needles: readonly string[]
}

/** The lane of long walks: one turn at a time in the whole organization, each account in its own order. */
export interface Walks {
  readonly budgets: WalkBudgets
  /**
   * Waits for the caller's next turn, which ends with its next `await`.
   * @throws ServiceUnavailableError when too many wait.
   */
  turn(): Promise<void>
}

/** The stores that `load` can reach beside the realm. */
export interface BodyStore extends BodyReader, MessageSearch {
  readonly walks: Walks
}

/** The content of D1 and of the store of files for an organization, to be compared with the realm object. */
export interface StoreContents {
  /** The messages in (above, upTo] that D1 has a body of, with its version. */
  bodyVersions(above: number, upTo: number): Promise<Map<number, number>>
  /** The messages that the search index has. */
  searchable(above: number, upTo: number): Promise<Set<number>>
  /**
   * Rows of bodies or of the search index, of messages in (above, upTo], that lie in another database than where the message's body
   * belongs (0: `DB`): what a life of the object left behind that was undone by restoring it.
   */
  elsewhere(
    above: number,
    upTo: number,
  ): Promise<readonly { readonly id: number; readonly database: number }[]>
  /** The highest message that D1 has a body of. */
  newestBody(): Promise<number>
  bodies(ids: readonly number[]): Promise<Map<number, MessageBody>>
  /** The messages, of these, that the search index finds by their needles. */
  findable(questions: readonly SearchQuestion[]): Promise<Set<number>>
  /** The digests of API keys, of these, that D1 has as this organization's. */
  keyDigests(digests: readonly string[]): Promise<Set<string>>
  /** The bytes of a file; null when it is not there. */
  fileSize(key: string): Promise<number | null>
  /** The files whose keys begin so; undefined when they are more than so many thousands. */
  listFiles(prefix: string, thousands: number): Promise<readonly FileInStore[] | undefined>
  /** Does D1 perhaps lack the newest body of this message? Then there is nothing to compare. Of this moment. */
  isPending(messageId: number): boolean
  /** Entries of the log that D1 has refused, ascending; of this moment. */
  refused(after: number): RefusedWrites | undefined
  /** The kinds of things that the triggers of quotas count. */
  countedKinds(): readonly string[]
  /** Adds up what there is of a kind, by account; 0: the organization. Reads every row of it. */
  recount(kind: string): Map<number, { readonly count: number; readonly bytes: number }>
}

/** A file in R2. */
export interface FileInStore {
  readonly key: string
  /** UNIX seconds. */
  readonly storedAt: number
}

export interface RefusedWrites {
  /** Log id. */
  readonly id: number
  readonly reason: string
  readonly writes: readonly D1Write[]
}

/** The stores that a call's `load` can reach. */
export interface CallStore extends BodyStore {
  readonly contents: StoreContents
}

/**
 * The work of an operation in the realm object: `load` may wait and holds nothing; `apply` decides and changes in one
 * synchronous transaction. `apply` throws StaleError when what was loaded is out of date.
 */
export interface Command<Context, Params, Loaded, Result> {
  readonly load?: (
    bodies: CallStore,
    view: RealmView,
    context: Context,
    params: Params,
    /** Why it is loaded again; undefined the first time. */
    stale: StaleError | undefined,
  ) => Promise<Loaded>
  readonly apply: (tx: RealmTransaction, context: Context, params: Params, loaded: Loaded) => Result
  /** Carries out the consequence of a refusal, in a transaction of its own after that of `apply` was rolled back. */
  readonly afterRefusal?: (tx: RealmTransaction, context: Context, params: Params, refusal: ApiError) => void
  /**
   * The form without its secret in which an answer is kept for a request that comes again, and how the answer is made of that:
   * a secret is not kept a second time. Absent: the answer is kept as it is.
   */
  readonly withoutSecret?: {
    keep(result: Result): object
    restore(view: RealmView, context: Context, kept: object, params: Params): Result
  }
  /**
   * Messages whose bodies the answer is completed with in the Worker. Those that D1 may not have yet
   * travel with the result, so that one call is enough.
   */
  readonly bodiesFor?: (result: Result) => readonly number[]
}
