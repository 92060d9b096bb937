import type { Sql, WritableSql } from '../../core/sql.ts'

/** The job that removes files from R2. The table `file_removal` is owned by this file. */
export const REMOVE_FILES = 'remove-files'

/** Enters the removal of a file at `dueAt` (UNIX seconds), replacing an earlier one. */
export function enqueueRemoval(sql: WritableSql, key: string, dueAt: number): void {
  sql.run(
    `INSERT INTO file_removal (key, due_at) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET due_at = ?2`,
    key,
    Math.floor(dueAt),
  )
}

/** Cancels a removal; false when there was none, or it has been done already. */
export function cancelRemoval(sql: WritableSql, key: string): boolean {
  return sql.runForFirst(`DELETE FROM file_removal WHERE key = ? RETURNING key`, key) !== undefined
}

export function listDueRemovals(sql: Sql, now: number, limit: number): string[] {
  return sql
    .all<{ key: string }>(
      `SELECT key FROM file_removal WHERE due_at <= ? ORDER BY key LIMIT ?`,
      Math.floor(now),
      limit,
    )
    .map(({ key }) => key)
}

/** Returns the time at which the next removal is due (UNIX seconds). */
export function nextRemovalAt(sql: Sql): number | undefined {
  return (
    sql.first<{ due_at: number | null }>(`SELECT MIN(due_at) AS due_at FROM file_removal`)?.due_at ??
    undefined
  )
}
