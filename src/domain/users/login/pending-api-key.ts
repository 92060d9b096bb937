import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { MINUTE } from '../../../core/time.ts'
import { newApiKey } from './api-key.ts'
import { findPendingApiKey, type PendingApiKey, putPendingApiKey } from './pending-api-key-rows.ts'

/** The seconds within which a pending key can be used for the first time: a client that got no answer asks again within that. */
const PENDING_SECONDS = 10 * MINUTE

/** The account's pending key: the one that it has, good for the whole time again, or a new one. */
export function offerApiKey(tx: RealmTransaction, userId: number): PendingApiKey {
  const apiKey = findPendingApiKey(tx.sql, userId, tx.now)?.apiKey ?? newApiKey(tx)
  const useBefore = Math.floor(tx.now) + PENDING_SECONDS
  putPendingApiKey(tx.sql, userId, { apiKey, useBefore })
  return { apiKey, useBefore }
}
