import type { Sql, WritableSql } from '../../../core/sql.ts'

/**
 * A key that replaces its account's key when it is used. The table `pending_api_key` is owned by this file.
 */
export interface PendingApiKey {
  readonly apiKey: string
  /** UNIX seconds, from which on it is invalid. */
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

export function deletePendingApiKey(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM pending_api_key WHERE user_id = ?`, userId)
}

/** Stores a pending key, replacing the account's earlier one. */
export function putPendingApiKey(
  sql: WritableSql,
  userId: number,
  { apiKey, useBefore }: PendingApiKey,
): void {
  sql.run(
    `INSERT OR REPLACE INTO pending_api_key (user_id, api_key, use_before) VALUES (?, ?, ?)`,
    userId,
    apiKey,
    useBefore,
  )
}
