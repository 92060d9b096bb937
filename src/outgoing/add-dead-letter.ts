import type { RealmTransaction } from '../core/realm-transaction.ts'
import { keepForATime } from '../model/retention/retention.ts'
import { insertDeadLetter, type NewDeadLetter } from '../store/dead-letters/dead-letter-rows.ts'

/** Enters given-up work as a dead letter, for owners who may retry it. */
export function addDeadLetter(tx: RealmTransaction, letter: NewDeadLetter): void {
  insertDeadLetter(tx.sql, letter, Math.floor(tx.now))
  keepForATime(tx)
}
