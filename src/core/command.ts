import type { ApiError } from './errors.ts'
import type { BodyReader, MessageBody } from './message-bodies.ts'
import type { AskingSteps } from './reader.ts'
import type { D1Write, LoadView, RealmReads, RealmTransaction, RealmView } from './realm-transaction.ts'

/** A range of message ids, both ends excluded, to search from one end. */
export interface SearchRange {
  readonly above: number
  readonly below: number
  readonly newestFirst: boolean
  /** Maximum number of ids to find. */
  readonly limit: number
}

export interface SearchPage {
  /** Ids in the order of the search. */
  readonly ids: readonly number[]
  /** The id up to which the search is complete; null if the whole range was searched. */
  readonly reached: number | null
}

/** Finds messages by their source, regardless of who may see them. Needles are in lower case; a message must contain all of them. */
export interface MessageSearch {
  search(needles: readonly string[], range: SearchRange): Promise<SearchPage>
  /** Returns the questions whose answer is yes, with one query. */
  contained<Question extends SearchQuestion>(questions: readonly Question[]): Promise<Question[]>
}

/** Groups of needles in lower case: all needles of at least one group must be contained. */
export type NeedleGroups = readonly (readonly string[])[]

/** Asks whether the source of a message contains one of the groups. */
export interface SearchQuestion {
  readonly id: number
  readonly anyOf: NeedleGroups
}

/** The stores that `load` can reach besides the realm. */
export interface BodyStore extends BodyReader, MessageSearch {
  /** Runs steps that wait for these stores, in as many turns of the object as they take. */
  drive<Value>(steps: AskingSteps<Value>): Promise<Value>
}

/** An organization's content in D1 and in the file store, for comparison with the realm object. */
export interface StoreContents {
  /**
   * Waits until D1 has everything that was committed before this call, so that delay does not look like a difference.
   * @throws ServiceUnavailableError (503) while D1 does not accept it
   */
  written(): Promise<void>
  /** Returns the messages in (above, upTo] whose bodies D1 has, with the body's version. */
  bodyVersions(above: number, upTo: number): Promise<Map<number, number>>
  /** Returns the messages in (above, upTo] that are in the search index, with the number of trigrams in each text. */
  searchable(above: number, upTo: number): Promise<Map<number, number>>
  /**
   * Returns the messages in (above, upTo] with a body or search row in another database than their own (0: `DB`). Such rows remain if the
   * object is restored to a time before they were written.
   */
  elsewhere(
    above: number,
    upTo: number,
  ): Promise<readonly { readonly id: number; readonly database: number }[]>
  /** Returns the newest message whose body D1 has. */
  newestBody(): Promise<number>
  bodies(ids: readonly number[]): Promise<Map<number, MessageBody>>
  /** Returns the questions to which the search index says yes. */
  findable<Question extends SearchQuestion>(questions: readonly Question[]): Promise<Question[]>
  /** Returns those of the API-key digests that D1 lists for this organization. */
  keyDigests(digests: readonly string[]): Promise<Set<string>>
  /** Returns the size of a file in bytes; null if there is no such file. */
  fileSize(key: string): Promise<number | null>
  /** Lists the files whose keys begin with `prefix`; undefined if there are more than `thousands` thousand. */
  listFiles(prefix: string, thousands: number): Promise<readonly FileInStore[] | undefined>
  /** Whether D1 may lack the newest body of this message at the moment. Then there is nothing to compare. */
  isPending(messageId: number): boolean
  /** Returns the next log entry after `after` that D1 has refused. */
  refused(after: number): RefusedWrites | undefined
  /** Kinds of things that the triggers of quotas count. */
  countedKinds(): readonly string[]
  /** Recounts the things of a kind, by account (0: the organization). Reads every row of the kind. */
  recount(kind: string): Map<number, { readonly count: number; readonly bytes: number }>
}

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

/** An operation's work in the realm object: `load` may wait and locks nothing; `apply` decides and changes in one synchronous transaction. */
export interface Command<Context, Params, Loaded, Result> {
  readonly load?: (bodies: CallStore, view: LoadView, context: Context, params: Params) => Promise<Loaded>
  /** Whether `apply` asks for bodies of messages (`RealmReads.bodyOf`). */
  readonly readsBodies?: true
  readonly apply: (tx: RealmTransaction, context: Context, params: Params, loaded: Loaded) => Result
  /** Records the consequence of a refusal, in a separate transaction after that of `apply` was rolled back. */
  readonly afterRefusal?: (tx: RealmTransaction, context: Context, params: Params, refusal: ApiError) => void
  /** Removes the secret from an answer kept for repeated requests, and restores it. Absent: it is kept as it is. */
  readonly withoutSecret?: {
    keep(result: Result): object
    restore(view: RealmView, context: Context, kept: object, params: Params): Result
  }
  /** Returns the messages whose bodies the Worker adds to the answer. Bodies that D1 may not have yet are sent along. */
  readonly bodiesFor?: (result: Result) => readonly number[]
  readonly reads?: undefined
}

/** A command that changes nothing. It runs without a transaction: nothing runs between its statements anyway. */
export interface ReadCommand<Context, Params, Loaded, Result>
  extends Pick<Command<Context, Params, Loaded, Result>, 'load' | 'readsBodies' | 'bodiesFor'> {
  readonly reads: true
  readonly apply: (view: RealmReads, context: Context, params: Params, loaded: Loaded) => Result
  readonly afterRefusal?: undefined
  readonly withoutSecret?: undefined
}

/** One commit of a change, with `load` and `apply` like those of a command. It runs again from its first line after a suspension. */
export interface Part<Context, Loaded, Value> {
  load?(bodies: CallStore, view: LoadView, context: Context): Promise<Loaded>
  apply(tx: RealmTransaction, context: Context, loaded: Loaded): Value
}

/**
 * The commits of a change, one for each `yield`. In between others are served, and the caller is admitted again. State passes from one
 * commit to the next in local variables: an eviction or a refusal ends the change, and what was committed stays.
 */
export type Commits<Context, Result> = Generator<Part<Context, unknown, unknown>, Result, unknown>

/** Makes one commit of a change, and returns what `apply` returns: `const left = yield* commit((tx, caller: Caller) => …)`. */
export function* commit<Context, Value, Loaded = void>(
  apply: Part<Context, Loaded, Value>['apply'],
  load?: Part<Context, Loaded, Value>['load'],
): Commits<Context, Value> {
  return (yield load ? { apply, load } : { apply }) as Value
}

/** An operation that may take several commits (docs/architecture.md#the-engine). */
export interface LongCommand<Context, Params, Result>
  extends Pick<
    Command<Context, Params, never, Result>,
    'withoutSecret' | 'bodiesFor' | 'afterRefusal' | 'readsBodies'
  > {
  /** Decisions between two commits must follow from what the commits returned: nothing is read or written there. */
  commits(params: Params): Commits<Context, Result>
  /** Whether its commits have anything to load. */
  readonly load?: true
  /** The answer if the request's time runs out before the last commit; absent: 503, and a repeated request continues. */
  readonly unfinished?: Result
  readonly reads?: undefined
}

export type AnyCommand<Context, Params, Loaded, Result> =
  | Command<Context, Params, Loaded, Result>
  | ReadCommand<Context, Params, Loaded, Result>
  | LongCommand<Context, Params, Result>
