import type { CallStore, Command } from './command.ts'
import type { LoadView, RealmTransaction } from './realm-transaction.ts'

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
