import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { listExports } from '../../store/exports/export-rows.ts'
import { announceExports } from './announce-exports.ts'
import { renewKey } from './export-addresses.ts'

/**
 * Renews all addresses when someone no longer is an administrator, or an owner, who may know more of them: earlier ones become invalid, and
 * those who may know them get the new ones.
 */
export function renewExportAddresses(tx: RealmTransaction): void {
  const isAnyThere = listExports(tx.sql).some(({ finishedAt, deletedAt }) => finishedAt && !deletedAt)
  if (!isAnyThere) return
  renewKey(tx)
  announceExports(tx)
}
