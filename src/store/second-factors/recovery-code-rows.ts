import type { Sql, WritableSql } from '../../core/sql.ts'

/** Codes for users who have lost their phone, each good once. The table `recovery_code` is owned by this file. */

export function countRecoveryCodes(sql: Sql, userId: number): number {
  return sql.first<{ count: number }>(
    `SELECT count(*) AS count FROM recovery_code WHERE user_id = ?`,
    userId,
  )!.count
}

/** Stores the digests of new codes in the place of the account's earlier ones. */
export function replaceRecoveryCodes(sql: WritableSql, userId: number, digests: readonly string[]): void {
  deleteRecoveryCodes(sql, userId)
  for (const digest of digests) {
    sql.run(`INSERT INTO recovery_code (user_id, digest) VALUES (?, ?)`, userId, digest)
  }
}

/** Uses a code up; false when the account has none with this digest. */
export function useRecoveryCode(sql: WritableSql, userId: number, digest: string): boolean {
  const used = sql.runForFirst(
    `DELETE FROM recovery_code WHERE user_id = ? AND digest = ? RETURNING user_id`,
    userId,
    digest,
  )
  return used !== undefined
}

export function deleteRecoveryCodes(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM recovery_code WHERE user_id = ?`, userId)
}
