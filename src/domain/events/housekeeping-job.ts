import type { RealmTransaction } from '../../core/realm-transaction.ts'

/** The job that ends unused queues, saves cursors and trims the log. */
export const HOUSEKEEPING = 'housekeeping'
const HOUSEKEEPING_SECONDS = 300

/** Somebody has a cursor on the log from now on, or something in it is not to stay. */
export function scheduleHousekeeping(tx: RealmTransaction): void {
  tx.schedule({ kind: HOUSEKEEPING, key: '', dueAt: tx.now + HOUSEKEEPING_SECONDS })
}
