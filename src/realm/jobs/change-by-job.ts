import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { Suspensions, untilNotSuspended } from '../../engine/suspended.ts'
import { afterCommit } from '../calls/after-commit.ts'
import { transactOn } from '../calls/transaction.ts'
import type { Runtime } from '../runtime.ts'

type Change<R> = (tx: RealmTransaction) => R extends PromiseLike<unknown> ? never : R

/** Returns a job that makes one change of the organization. It may return when it is due again. */
export function changeByJob(change: (tx: RealmTransaction, key: string) => number | undefined): JobHandler {
  return (runtime, key) => suspendableChange(runtime, (tx) => change(tx, key))
}

/** Makes one change that no call has asked for, which is not suspended: whatever it reads, it reads in its turn. */
export function changeBy<R>(runtime: Runtime, change: Change<R>): R {
  return commit(runtime, change, runtime.now())
}

/** Makes one change that no call has asked for, at once where it can: it is run again whenever it was suspended. */
export function suspendableChange<R>(runtime: Runtime, change: Change<R>): R | Promise<R> {
  // The same each time that it runs, since a text that was rendered for it depends on its time.
  const now = runtime.now()
  const suspensions = new Suspensions()
  return untilNotSuspended(
    () => commit(runtime, change, now, suspensions),
    ({ finish }) => finish(runtime.pause),
  )
}

function commit<R>(runtime: Runtime, change: Change<R>, now: number, suspensions?: Suspensions): R {
  const onCommit = (commit: Parameters<typeof afterCommit>[1]) => afterCommit(runtime, commit)
  return transactOn({ ...runtime, now, suspensions, onCommit })(change)
}

/** Time (UNIX seconds) at which the same job is due next; undefined when it is finished. */
export type NextTime = number | undefined

/** Handles a kind of due work. It must be idempotent: after a crash it runs again. */
export type JobHandler = (runtime: Runtime, key: string) => NextTime | Promise<NextTime>
