import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { MINUTE } from '../../../core/time.ts'
import { newApiKey } from '../../../model/users/login/api-key.ts'
import {
  findPendingApiKey,
  type PendingApiKey,
  putPendingApiKey,
} from '../../../store/users/login/pending-api-key-rows.ts'

/**
 * Seconds within which a pending key must first be used: a client that got no answer asks again within them.
 */
const PENDING_SECONDS = 10 * MINUTE

/** Returns the account's pending key: the present one, valid for the whole time again, or a new one. */
export function offerApiKey(tx: RealmTransaction, userId: number): PendingApiKey {
  const apiKey = findPendingApiKey(tx.sql, userId, tx.now)?.apiKey ?? newApiKey(tx)
  const useBefore = Math.floor(tx.now) + PENDING_SECONDS
  putPendingApiKey(tx.sql, userId, { apiKey, useBefore })
  return { apiKey, useBefore }
}
