import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { KEPT_SECONDS } from './kept-seconds.ts'

/** The job that takes away what is kept for a time, and has nobody who does it otherwise (forget-old.ts). */
export const FORGET_OLD = 'forget-old'

/** Something is kept from now on that is to go by itself. */
export function keepForATime(tx: RealmTransaction): void {
  tx.schedule({ kind: FORGET_OLD, key: '', dueAt: tx.now + KEPT_SECONDS })
}
