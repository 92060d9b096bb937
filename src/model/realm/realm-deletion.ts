import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import { isRealmDeactivated } from '../../store/realm/realm-setting-rows.ts'

/** Plans the deletion of the closed organization's data at this time (UNIX seconds), or cancels it (null). */
export function planDeletion(tx: RealmTransaction, at: number | null): void {
  writeMeta(tx.sql, 'deletion_planned', at)
  // For the sweep that reads D1 when the object no longer works.
  tx.writeToD1({ statement: 'note-deletion', row: [at] })
  if (at === null) tx.unschedule({ kind: 'delete-realm', key: '' })
  else tx.schedule({ kind: 'delete-realm', key: '', dueAt: at })
}

/** Returns UNIX seconds; null if no deletion is planned. */
export function plannedDeletion(sql: Sql): number | null {
  return readMeta<number | null>(sql, 'deletion_planned') ?? null
}

/**
 * Begins the deletion when it is due: from this commit on the organization answers nobody and cannot be reopened. Returns
 * the time to wait for if it is too early (UNIX seconds); undefined if the deletion has begun, or was cancelled.
 */
export function beginDeletion({ sql, now }: RealmTransaction): number | undefined {
  const at = plannedDeletion(sql)
  if (at === null || !isRealmDeactivated(sql)) return undefined
  if (at > now) return at
  writeMeta(sql, 'deletion_begun', Math.floor(now))
  return undefined
}
