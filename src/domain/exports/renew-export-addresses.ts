import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { announceExports } from './announce-exports.ts'
import { renewKey } from './export-addresses.ts'
import { listExports } from './export-rows.ts'

/**
 * Somebody is no administrator any more: the addresses that were given out so far open nothing, and those who still are
 * administrators get the new ones.
 */
export function renewExportAddresses(tx: RealmTransaction): void {
  const isAnyThere = listExports(tx.sql).some(({ finishedAt, deletedAt }) => finishedAt && !deletedAt)
  if (!isAnyThere) return
  renewKey(tx)
  announceExports(tx)
}
