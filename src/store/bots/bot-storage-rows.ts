import type { Sql, WritableSql } from '../../core/sql.ts'

/** Returns the values that a bot has stored here, by key. The table `bot_storage` is owned by this file. */
export function readStorage(sql: Sql, userId: number): Map<string, string> {
  const rows = sql.all<{ key: string; value: string }>(
    `SELECT key, value FROM bot_storage WHERE user_id = ? ORDER BY key`,
    userId,
  )
  return new Map(rows.map(({ key, value }) => [key, value]))
}

export function putStorage(sql: WritableSql, userId: number, key: string, value: string): void {
  sql.run(
    `INSERT INTO bot_storage (user_id, key, value) VALUES (?1, ?2, ?3)
     ON CONFLICT (user_id, key) DO UPDATE SET value = ?3`,
    userId,
    key,
    value,
  )
}

export function deleteStorage(sql: WritableSql, userId: number, key: string): void {
  sql.run(`DELETE FROM bot_storage WHERE user_id = ? AND key = ?`, userId, key)
}
