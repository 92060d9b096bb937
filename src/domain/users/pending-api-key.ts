import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { MINUTE } from '../../core/time.ts'
import { newApiKey } from './api-key.ts'

/** The seconds within which a pending key can be used for the first time: a client that got no answer asks again within that. */
const PENDING_SECONDS = 10 * MINUTE

/** A key that takes the place of its account's key when it is used. The table `pending_api_key` is owned by this file. */
export interface PendingApiKey {
  readonly apiKey: string
  /** UNIX seconds; from then on it is worth nothing. */
  readonly useBefore: number
}

export function findPendingApiKey(sql: Sql, userId: number, now: number): PendingApiKey | undefined {
  const row = sql.first<{ api_key: string; use_before: number }>(
    `SELECT api_key, use_before FROM pending_api_key WHERE user_id = ? AND use_before > ?`,
    userId,
    now,
  )
  return row && { apiKey: row.api_key, useBefore: row.use_before }
}

/** The account's pending key: the one that it has, good for the whole time again, or a new one. */
export function offerApiKey(tx: RealmTransaction, userId: number): PendingApiKey {
  const apiKey = findPendingApiKey(tx.sql, userId, tx.now)?.apiKey ?? newApiKey(tx)
  const useBefore = Math.floor(tx.now) + PENDING_SECONDS
  tx.sql.run(
    `INSERT OR REPLACE INTO pending_api_key (user_id, api_key, use_before) VALUES (?, ?, ?)`,
    userId,
    apiKey,
    useBefore,
  )
  return { apiKey, useBefore }
}

export function deletePendingApiKey(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM pending_api_key WHERE user_id = ?`, userId)
}
