import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { enqueueRemoval, REMOVE_FILES } from '../../store/uploads/removal-rows.ts'

/** Schedules the removal of a file from R2 at `dueAt` (UNIX seconds), unless that is cancelled before. */
export function scheduleRemoval(tx: RealmTransaction, key: string, dueAt: number): void {
  enqueueRemoval(tx.sql, key, dueAt)
  tx.schedule({ kind: REMOVE_FILES, key: '', dueAt })
}
