import { NotPreparedError, type RealmTransaction } from '../../core/realm-transaction.ts'
import { Suspended } from '../../engine/suspended.ts'
import { afterCommit } from '../calls/after-commit.ts'
import { notPutOffYet, type PutOff, transactOn } from '../calls/transaction.ts'
import type { Runtime } from '../runtime.ts'
import type { JobHandler } from './job-handler.ts'

type Change<R> = (tx: RealmTransaction) => R extends PromiseLike<unknown> ? never : R

/** Returns a job that makes one change of the organization. It may return when it is due again. */
export function changeByJob(change: (tx: RealmTransaction, key: string) => number | undefined): JobHandler {
  return (runtime, key) => changePrepared(runtime, (tx) => change(tx, key))
}

/** Makes one change that no call has asked for, and that renders no text. */
export function changeBy<R>(runtime: Runtime, change: Change<R>): R {
  return commit(runtime, change, runtime.now())
}

/**
 * Makes one change that no call has asked for, at once where it can. What its texts need for the first time is prepared in turns of its
 * own where that is much work, and then the change is decided anew.
 */
export function changePrepared<R>(runtime: Runtime, change: Change<R>): R | Promise<R> {
  // The same each time that it runs, since a text that was rendered for it depends on its time.
  const now = runtime.now()
  const putOff = notPutOffYet()
  try {
    return commit(runtime, change, now, putOff)
  } catch (error) {
    if (!(error instanceof NotPreparedError)) throw error
    return afterPreparing(runtime, change, now, putOff, error)
  }
}

async function afterPreparing<R>(
  runtime: Runtime,
  change: Change<R>,
  now: number,
  putOff: PutOff,
  first: NotPreparedError,
): Promise<R> {
  for (let lack = first; ; ) {
    if (!(lack instanceof Suspended)) putOff.times += 1
    await lack.prepare(runtime.pause)
    try {
      return commit(runtime, change, now, putOff)
    } catch (error) {
      if (!(error instanceof NotPreparedError)) throw error
      lack = error
    }
  }
}

function commit<R>(runtime: Runtime, change: Change<R>, now: number, putOff?: PutOff): R {
  const onCommit = (commit: Parameters<typeof afterCommit>[1]) => afterCommit(runtime, commit)
  return transactOn({ ...runtime, now, putOff, onCommit })(change)
}
