import type { RealmTransaction } from '../../core/realm-transaction.ts'

/** The job that ends unused queues, saves cursors and trims the log. */
export const HOUSEKEEPING = 'housekeeping'
const HOUSEKEEPING_SECONDS = 300

/** Schedules housekeeping when the log gets a new cursor, or something in it has to be deleted. */
export function scheduleHousekeeping(tx: RealmTransaction): void {
  tx.schedule({ kind: HOUSEKEEPING, key: '', dueAt: tx.now + HOUSEKEEPING_SECONDS })
}
