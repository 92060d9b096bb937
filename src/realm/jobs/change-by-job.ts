import { lacksRoom } from '../../core/errors.ts'
import type { NextTime } from '../../core/job-runtime.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { Suspensions, untilNotSuspended } from '../../engine/suspended.ts'
import { isNearlyFull } from '../calls/storage-room.ts'
import { storesOf } from '../calls/store-contents.ts'
import { transactOn } from '../calls/transaction.ts'
import type { Runtime } from '../runtime.ts'

type Change<R> = (tx: RealmTransaction) => R extends PromiseLike<unknown> ? never : R

/** Returns a job that makes one change of the organization, and may return when it is due again. */
export function changeByJob(change: (tx: RealmTransaction, key: string) => number | undefined): JobHandler {
  return (runtime, key) => runtime.suspendableChange((tx) => change(tx, key))
}

/** Makes one change that no call has asked for. It is not suspended: it reads everything in its turn. */
export function changeBy<R>(runtime: Runtime, change: Change<R>): R {
  return commit(runtime, change, { now: runtime.now() })
}

/** Makes one change that no call has asked for, at once if possible. It runs again each time that it is suspended. */
export function suspendableChange<R>(runtime: Runtime, change: Change<R>): R | Promise<R> {
  // The same in each run, since a text that was rendered for it depends on the time.
  const now = runtime.now()
  const suspensions = new Suspensions()
  const stores = () => storesOf(runtime, (work) => work(runtime.pause))
  return untilNotSuspended(
    () => commit(runtime, change, { now, suspensions, stores }),
    ({ finish }) => finish(runtime.pause),
  )
}

type Parts = Pick<Parameters<typeof transactOn>[0], 'now' | 'suspensions' | 'stores'>

function commit<R>(runtime: Runtime, change: Change<R>, parts: Parts): R {
  return transactOn({ ...runtime, ...parts, onCommit: runtime.committed })(change)
}

/** Handles a kind of due work. It must be idempotent: after a crash it runs again. */
export type JobHandler = (runtime: Runtime, key: string) => NextTime | Promise<NextTime>

/** Seconds after which a delivery is tried again for which there was no room. */
const NO_ROOM_RETRY_SECONDS = 60

/**
 * Returns a delivery that waits, for any length of time, while there is no room for it in the object, in its database, or in the tail of
 * a database that is down: nothing that was accepted for later is lost. Such tries do not count.
 */
export function whenThereIsRoom(deliver: JobHandler): JobHandler {
  return (runtime, key) => {
    const later = runtime.now() + NO_ROOM_RETRY_SECONDS
    if (isNearlyFull(runtime)) return later
    const wait = (error: unknown) => {
      if (!lacksRoom(error)) throw error
      return later
    }
    try {
      const result = deliver(runtime, key)
      return result instanceof Promise ? result.catch(wait) : result
    } catch (error) {
      return wait(error)
    }
  }
}
