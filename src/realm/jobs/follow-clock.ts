import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import { log } from '../../core/log.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { WritableSql } from '../../core/sql.ts'
import { endLaterPresences } from '../../model/presence/record-presence.ts'
import {
  FOLLOWING,
  followNext,
  readSetBacks,
  type SetBack,
  writeSetBacks,
} from '../../store/rows-of-clock.ts'
import type { Runtime } from '../runtime.ts'

/**
 * Follows a clock that has been set back. Jobs that are due after a pause, or at the end of a lease, would be due by the old clock, so
 * they move by as much as it was set back. Times that users have chosen stay. No user counts as last seen later than now.
 *
 * Returns undefined once everything has followed, which is nearly always. If that takes several turns, code that writes rows of these
 * tables, or begins due work, waits for the promise: what is written meanwhile is by the new clock. It never rejects; after a failure the
 * next call continues.
 */
export function followClock(runtime: Runtime): Promise<void> | undefined {
  const { clock } = runtime
  const seconds = clock.setBackBy()
  if (seconds !== undefined) begin(runtime, seconds)
  if (!clock.isFollowed) clock.following ??= followRest(runtime)
  return clock.following
}

function begin(runtime: Runtime, seconds: number): void {
  runtime.change((tx) => {
    runtime.progress.limitLastSeen(tx.now)
    endLaterPresences(tx)
    runtime.clock.follow(tx.sql)
    followSome(tx, withSetBack(readSetBacks(tx.sql), seconds, tx.now))
  })
  noteFollowed(runtime)
}

/** Returns them with one more. Two that no row has followed yet become one. */
function withSetBack(setBacks: readonly SetBack[], seconds: number, now: number): SetBack[] {
  const [begun, waiting] = setBacks
  const first = { table: FOLLOWING[0]!.table, upTo: null }
  if (!begun) return [{ seconds, now, ...first }]
  return [begun, { seconds: (waiting?.seconds ?? 0) + seconds, now, ...first }]
}

async function followRest(runtime: Runtime): Promise<void> {
  try {
    while (!runtime.clock.isFollowed) {
      await runtime.pause()
      runtime.change((tx) => followSome(tx, readSetBacks(tx.sql)))
      noteFollowed(runtime)
    }
  } catch (error) {
    log('error', 'Some due times did not follow a clock that was set back', {
      error,
      organization: runtime.realm.host,
    })
  } finally {
    runtime.clock.following = undefined
  }
}

function noteFollowed(runtime: Runtime): void {
  runtime.clock.isFollowed = readSetBacks(runtime.sql).length === 0
  if (runtime.clock.isFollowed) runtime.alarm.follow()
}

/** Moves the rows of one commit, and saves how far that came. */
function followSome({ sql }: RealmTransaction, open: readonly SetBack[]): void {
  const until = sql.counts.read + ENTRIES_AT_ONCE
  let left = open
  while (left.length > 0 && sql.counts.read < until) left = afterNext(sql, left)
  writeSetBacks(sql, left)
}

function afterNext(sql: WritableSql, [setBack, ...later]: readonly SetBack[]): readonly SetBack[] {
  const at = FOLLOWING.findIndex(({ table }) => table === setBack!.table)
  // Another build began with a table that this one does not know.
  if (at < 0) return later
  const upTo = followNext(sql, FOLLOWING[at]!, setBack!, ENTRIES_AT_ONCE)
  if (upTo) return [{ ...setBack!, upTo }, ...later]
  const next = FOLLOWING[at + 1]
  return next ? [{ ...setBack!, table: next.table, upTo: null }, ...later] : later
}
