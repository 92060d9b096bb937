import type { ApiError } from './errors.ts'
import type { BodyReader, MessageBody } from './message-bodies.ts'
import type { AskingSteps } from './reader.ts'
import type { D1Write, LoadView, RealmReads, RealmTransaction, RealmView } from './realm-transaction.ts'

/** A range of message ids, both ends left out, to be searched from one end. */
export interface SearchRange {
  readonly above: number
  readonly below: number
  readonly newestFirst: boolean
  /** Limit of the ids to find. */
  readonly limit: number
}

export interface SearchPage {
  /** Ids in the order of the search. */
  readonly ids: readonly number[]
  /** The id up to which the search is complete; null when the whole range was searched. */
  readonly reached: number | null
}

/**
 * Finds messages by their source, regardless of who may see them. Needles are in lower case; a message must
 * contain all.
 */
export interface MessageSearch {
  search(needles: readonly string[], range: SearchRange): Promise<SearchPage>
  /** Returns the questions whose answer is yes, with one query. */
  contained<Question extends SearchQuestion>(questions: readonly Question[]): Promise<Question[]>
}

/** Groups of needles in lower case: one of them must be contained, with all its needles. */
export type NeedleGroups = readonly (readonly string[])[]

/** A question whether the source of a message contains one of the groups. */
export interface SearchQuestion {
  readonly id: number
  readonly anyOf: NeedleGroups
}

/** The stores that `load` can reach beside the realm. */
export interface BodyStore extends BodyReader, MessageSearch {
  /** Does steps that wait for these stores, in as many turns of the object as they take. */
  drive<Value>(steps: AskingSteps<Value>): Promise<Value>
}

/** The content of D1 and of the file store for an organization, for comparison with the realm object. */
export interface StoreContents {
  /**
   * Waits until D1 has everything that had been committed when it was called, so that a difference from what the
   * caller had read before is not one of time.
   * @throws ServiceUnavailableError (503) while D1 does not take it
   */
  written(): Promise<void>
  /** Returns the messages in (above, upTo] of which D1 has a body, with its version. */
  bodyVersions(above: number, upTo: number): Promise<Map<number, number>>
  /** Returns the messages in (above, upTo] that the search index has, with the number of trigrams of each text. */
  searchable(above: number, upTo: number): Promise<Map<number, number>>
  /**
   * Returns the messages in (above, upTo] of which a row of bodies or of the search index lies in another
   * database than the message's body belongs to (0: `DB`). Such rows remain after the object was restored to
   * a time before they were written.
   */
  elsewhere(
    above: number,
    upTo: number,
  ): Promise<readonly { readonly id: number; readonly database: number }[]>
  /** Returns the newest message of which D1 has a body. */
  newestBody(): Promise<number>
  bodies(ids: readonly number[]): Promise<Map<number, MessageBody>>
  /** Returns the questions to which the search index says yes. */
  findable<Question extends SearchQuestion>(questions: readonly Question[]): Promise<Question[]>
  /** Returns those digests of API keys that D1 has as this organization's. */
  keyDigests(digests: readonly string[]): Promise<Set<string>>
  /** Returns the bytes of a file; null when there is no such file. */
  fileSize(key: string): Promise<number | null>
  /** Lists the files whose keys begin with `prefix`; undefined when they are more than `thousands` thousand. */
  listFiles(prefix: string, thousands: number): Promise<readonly FileInStore[] | undefined>
  /** Whether D1 may lack the newest body of this message at this moment. Then there is nothing to compare. */
  isPending(messageId: number): boolean
  /** Returns entries of the log that D1 has refused by now, ascending. */
  refused(after: number): RefusedWrites | undefined
  /** Kinds of things that the triggers of quotas count. */
  countedKinds(): readonly string[]
  /** Counts the things of a kind anew, by account; 0: the organization. Reads every row of the kind. */
  recount(kind: string): Map<number, { readonly count: number; readonly bytes: number }>
}

/** A file in R2. */
export interface FileInStore {
  readonly key: string
  /** UNIX seconds. */
  readonly storedAt: number
}

interface RefusedWrites {
  /** Id in the log. */
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
 * synchronous transaction.
 */
export interface Command<Context, Params, Loaded, Result> {
  readonly load?: (bodies: CallStore, view: LoadView, context: Context, params: Params) => Promise<Loaded>
  /** Whether `apply` asks for bodies of messages (`RealmReads.bodyOf`). */
  readonly readsBodies?: true
  readonly apply: (tx: RealmTransaction, context: Context, params: Params, loaded: Loaded) => Result
  /** Carries out the consequence of a refusal, in a transaction of its own after that of `apply` was rolled back. */
  readonly afterRefusal?: (tx: RealmTransaction, context: Context, params: Params, refusal: ApiError) => void
  /**
   * Removes the secret from an answer that is kept for repeated requests, and restores the answer from that
   * form: a secret is not stored a second time. Absent: the answer is kept as it is.
   */
  readonly withoutSecret?: {
    keep(result: Result): object
    restore(view: RealmView, context: Context, kept: object, params: Params): Result
  }
  /**
   * Returns the messages whose bodies the Worker adds to the answer. Bodies that D1 may not have yet travel
   * with the result, so that one call is enough.
   */
  readonly bodiesFor?: (result: Result) => readonly number[]
  /** See `ReadCommand`. */
  readonly reads?: true
}

/**
 * A command that changes nothing. `apply` runs without a transaction, whose begin and commit would cost time for nothing:
 * what it reads is consistent anyway, since nothing comes between its statements.
 */
export interface ReadCommand<Context, Params, Loaded, Result>
  extends Omit<Command<Context, Params, Loaded, Result>, 'apply' | 'afterRefusal' | 'withoutSecret'> {
  readonly reads: true
  readonly apply: (view: RealmReads, context: Context, params: Params, loaded: Loaded) => Result
}

/** What one commit of a change does, as `load` and `apply` of a command do. It is run again from its first line when it was suspended. */
export interface Part<Context, Loaded, Value> {
  load?(bodies: CallStore, view: LoadView, context: Context): Promise<Loaded>
  apply(tx: RealmTransaction, context: Context, loaded: Loaded): Value
}

/**
 * The commits of a change, one for each `yield`. In between others are served, and the caller is admitted again. What a commit leaves to the
 * next is in local variables: an eviction, or a refusal, ends the change, and what was committed stays.
 */
export type Commits<Context, Result> = Generator<Part<Context, unknown, unknown>, Result, unknown>

/** Makes one commit of a change, and returns what `apply` returns: `const left = yield* commit((tx, caller: Caller) => …)`. */
export function* commit<Context, Value, Loaded = void>(
  apply: Part<Context, Loaded, Value>['apply'],
  load?: Part<Context, Loaded, Value>['load'],
): Commits<Context, Value> {
  return (yield load ? { apply, load } : { apply }) as Value
}

/** An operation that takes several commits where it changes much (docs/architecture.md#the-engine). */
export interface LongCommand<Context, Params, Result>
  extends Pick<
    Command<Context, Params, never, Result>,
    'withoutSecret' | 'bodiesFor' | 'afterRefusal' | 'readsBodies'
  > {
  /** What it decides between two commits must follow from what they have returned: it reads and writes nothing there. */
  commits(params: Params): Commits<Context, Result>
  /** Whether its commits have anything to load. */
  readonly load?: true
  /** The answer when the time of a request is over before the last commit; absent: 503, and the same request repeated goes on. */
  readonly unfinished?: Result
  readonly reads?: undefined
}
