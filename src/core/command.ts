import type { ApiError } from './errors.ts'
import type { RealmReads, RealmTransaction, RealmView } from './realm-transaction.ts'

/** An operation's work in the realm object: `apply` decides and changes in one synchronous transaction. */
export interface Command<Context, Params, Result> {
  readonly apply: (tx: RealmTransaction, context: Context, params: Params) => Result
  /** Whether it asks other stores (`RealmReads.ask`, `bodyOf`): then it runs again with the answer. */
  readonly asks?: true
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
export interface ReadCommand<Context, Params, Result>
  extends Pick<Command<Context, Params, Result>, 'asks' | 'bodiesFor'> {
  readonly reads: true
  readonly apply: (view: RealmReads, context: Context, params: Params) => Result
  readonly afterRefusal?: undefined
  readonly withoutSecret?: undefined
}

/** One commit of a change, like the `apply` of a command. It runs again from its first line after a suspension. */
export type Part<Context, Value = unknown> = (tx: RealmTransaction, context: Context) => Value

/**
 * The commits of a change, one for each `yield`. In between others are served, and the caller is admitted again. State passes from one
 * commit to the next in what the commits return, which is stored as JSON until the change is over: after an eviction a job makes the rest
 * from that (realm/calls/change-under-way.ts). A refusal ends the change, and what was committed stays.
 */
export type Commits<Context, Result> = Generator<Part<Context>, Result, unknown>

/** Makes one commit of a change, and returns what it returns: `const left = yield* commit((tx, caller: Caller) => …)`. */
export function* commit<Context, Value>(part: Part<Context, Value>): Commits<Context, Value> {
  return (yield part) as Value
}

/** An operation that may take several commits (docs/architecture.md#the-engine). */
export interface LongCommand<Context, Params, Result>
  extends Pick<Command<Context, Params, Result>, 'withoutSecret' | 'bodiesFor' | 'afterRefusal' | 'asks'> {
  /**
   * Decisions between two commits must follow from what the commits returned: nothing is read or written there. `params` has no secret,
   * since it is stored too.
   */
  commits(params: Params): Commits<Context, Result>
  /** The answer if the request's time runs out before the last commit, and a job makes the rest; absent: 503. */
  readonly unfinished?: Result
  readonly reads?: undefined
}

export type AnyCommand<Context, Params, Result> =
  | Command<Context, Params, Result>
  | ReadCommand<Context, Params, Result>
  | LongCommand<Context, Params, Result>
