import type { RealmTransaction } from '../../core/realm-transaction.ts'

const HOUSEKEEPING_SECONDS = 300

/** Schedules housekeeping when the log gets a new cursor, or something in it has to be deleted. */
export function scheduleHousekeeping(tx: RealmTransaction): void {
  tx.schedule({ kind: 'housekeeping', key: '', dueAt: tx.now + HOUSEKEEPING_SECONDS })
}
