import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { KEPT_SECONDS } from '../../store/retention/kept-seconds.ts'

/** The job that deletes what is kept for a limited time, and what no other job deletes (forget-old.ts). */
export const FORGET_OLD = 'forget-old'

/** Schedules the job when something is stored for a limited time. */
export function keepForATime(tx: RealmTransaction): void {
  tx.schedule({ kind: FORGET_OLD, key: '', dueAt: tx.now + KEPT_SECONDS })
}
