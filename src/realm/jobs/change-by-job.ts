import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { afterCommit } from '../calls/after-commit.ts'
import { transactOn } from '../calls/transaction.ts'
import type { Runtime } from '../runtime.ts'
import type { JobHandler } from './job-handler.ts'

/** Returns a job that makes one change of the organization. It may return when it is due again. */
export function changeByJob(change: (tx: RealmTransaction, key: string) => number | undefined): JobHandler {
  return (runtime, key) => changeBy(runtime, (tx) => change(tx, key))
}

/** Makes one change that no call has asked for. */
export function changeBy<R>(
  runtime: Runtime,
  change: (tx: RealmTransaction) => R extends PromiseLike<unknown> ? never : R,
): R {
  const onCommit = (commit: Parameters<typeof afterCommit>[1]) => afterCommit(runtime, commit)
  return transactOn({ ...runtime, now: runtime.now(), onCommit })(change)
}
