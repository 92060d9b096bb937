import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import {
  type Confirmation,
  closeConfirmations,
  deleteExpiredConfirmations,
  insertConfirmation,
} from '../../store/confirmations/confirmation-rows.ts'

const VALID_SECONDS = DAY

/**
 * Enters a confirmation, valid for a day, and returns its secret. Earlier ones of the account become invalid.
 */
export function openConfirmation(
  tx: RealmTransaction,
  wanted: Omit<Confirmation, 'secret' | 'expiresAt'>,
): string {
  closeConfirmations(tx.sql, wanted.userId, wanted.kind)
  deleteExpiredConfirmations(tx.sql, tx.now)
  const secret = tx.randomHex(16)
  insertConfirmation(tx.sql, { ...wanted, secret, expiresAt: Math.floor(tx.now) + VALID_SECONDS })
  return secret
}
