import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { announceExports } from './announce-exports.ts'
import { renewKey } from './export-addresses.ts'
import { listExports } from './export-rows.ts'

/**
 * Renews all addresses when somebody is no longer an administrator: earlier ones become invalid, and present
 * administrators get the new ones.
 */
export function renewExportAddresses(tx: RealmTransaction): void {
  const isAnyThere = listExports(tx.sql).some(({ finishedAt, deletedAt }) => finishedAt && !deletedAt)
  if (!isAnyThere) return
  renewKey(tx)
  announceExports(tx)
}
