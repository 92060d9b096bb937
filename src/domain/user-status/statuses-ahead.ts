import type { PausedReads } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { MANY_STATUSES, type PackedStatuses, readStatusesOf } from './user-status-rows.ts'

/** The statuses of all, as they were after a number of changes. */
export interface StatusesAhead {
  readonly changes: number
  readonly packed: PackedStatuses
}

/** Reads the statuses of these users in a turn of their own, for `load`. Undefined where the users are few. */
export async function readStatusesAhead(
  { sql, pause }: PausedReads,
  ids: readonly number[],
): Promise<StatusesAhead | undefined> {
  if (ids.length < MANY_STATUSES) return undefined
  const changes = changesOfStatuses(sql)
  const packed = readStatusesOf(sql, ids)
  await pause()
  return { changes, packed }
}

/** Returns the statuses of users as they are now, as `readStatusesOf` does. */
export function statusesOf(
  sql: Sql,
  ids: readonly number[],
  ahead: StatusesAhead | undefined,
): PackedStatuses {
  const isRight = ids.length >= MANY_STATUSES && ahead?.changes === changesOfStatuses(sql)
  return isRight ? ahead.packed : readStatusesOf(sql, ids)
}

function changesOfStatuses(sql: Sql): number {
  return sql.changesOf('user_status')
}
