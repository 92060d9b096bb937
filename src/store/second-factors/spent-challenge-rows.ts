import type { WritableSql } from '../../core/sql.ts'

/** Rows that one new row clears away. */
const SWEPT = 20

/**
 * Notes that a challenge was answered, and clears away those that nobody could answer any more. False when it was answered before. The table
 * `spent_challenge` is owned by this file.
 */
export function spendChallenge(
  sql: WritableSql,
  { nonce, useBefore }: { readonly nonce: string; readonly useBefore: number },
  now: number,
): boolean {
  sql.run(
    `DELETE FROM spent_challenge WHERE nonce IN (
       SELECT nonce FROM spent_challenge WHERE use_before <= ? ORDER BY use_before LIMIT ?)`,
    Math.floor(now),
    SWEPT,
  )
  const inserted = sql.runForFirst(
    `INSERT INTO spent_challenge (nonce, use_before) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING nonce`,
    nonce,
    useBefore,
  )
  return inserted !== undefined
}
