import type { Sql, WritableSql } from '../../core/sql.ts'

/** Returns a user's alert words in alphabetical order, whatever their case. */
export function listAlertWords(sql: Sql, userId: number): string[] {
  return sql
    .all<{ word: string }>(`SELECT word FROM alert_word WHERE user_id = ? ORDER BY word_key`, userId)
    .map(({ word }) => word)
}

/** Returns everybody's alert words, for finding them in a message. */
export function listAllAlertWords(sql: Sql): { userId: number; words: string[] }[] {
  const rows = sql.all<{ user_id: number; word: string }>(
    `SELECT user_id, word FROM alert_word ORDER BY user_id`,
  )
  return [...Map.groupBy(rows, ({ user_id }) => user_id)].map(([userId, found]) => ({
    userId,
    words: found.map(({ word }) => word),
  }))
}

export function hasAlertWords(sql: Sql): boolean {
  return sql.first(`SELECT 1 FROM alert_word LIMIT 1`) !== undefined
}

/** Adds a word. A word that the user has in another case stays as it is; then it returns false. */
export function addAlertWord(sql: WritableSql, userId: number, word: string): boolean {
  return (
    sql.runForFirst(
      `INSERT INTO alert_word (user_id, word_key, word) VALUES (?, ?, ?)
       ON CONFLICT (user_id, word_key) DO NOTHING RETURNING word`,
      userId,
      word.toLowerCase(),
      word,
    ) !== undefined
  )
}

export function removeAlertWord(sql: WritableSql, userId: number, word: string): boolean {
  return (
    sql.runForFirst(
      `DELETE FROM alert_word WHERE user_id = ? AND word_key = ? RETURNING word`,
      userId,
      word.toLowerCase(),
    ) !== undefined
  )
}
