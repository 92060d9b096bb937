import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { archiveKey } from '../../store/exports/archive-key.ts'
import { markDeleted, type RealmExport } from '../../store/exports/export-rows.ts'
import { scheduleRemoval } from '../uploads/discard-attachment.ts'
import { announceExports } from './announce-exports.ts'

export function deleteArchive(tx: RealmTransaction, exported: RealmExport): void {
  markDeleted(tx.sql, exported.id, tx.now)
  scheduleRemoval(tx, archiveKey(tx.realm.id, exported), tx.now)
  announceExports(tx)
}
