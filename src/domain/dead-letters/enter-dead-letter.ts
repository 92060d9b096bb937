import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { keepForATime } from '../retention/forget-old-job.ts'
import { insertDeadLetter, type NewDeadLetter } from './dead-letter-rows.ts'

/** Something is given up. It is kept for those who may try it again. */
export function enterDeadLetter(tx: RealmTransaction, letter: NewDeadLetter): void {
  insertDeadLetter(tx.sql, letter, Math.floor(tx.now))
  keepForATime(tx)
}
