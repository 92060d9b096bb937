import type { Sql, WritableSql } from '../../core/sql.ts'

/** Enters the removal of a file at `dueAt` (UNIX seconds), replacing an earlier one. The table `file_removal` is owned by this file. */
export function enqueueRemoval(sql: WritableSql, key: string, dueAt: number): void {
  sql.run(
    `INSERT INTO file_removal (key, due_at) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET due_at = ?2`,
    key,
    Math.floor(dueAt),
  )
}

/** Cancels a removal; false when there was none, or it has been done already. */
export function cancelRemoval(sql: WritableSql, key: string): boolean {
  return sql.runForAny(`DELETE FROM file_removal WHERE key = ? RETURNING key`, key)
}

export function listDueRemovals(sql: Sql, now: number, limit: number): string[] {
  return sql.values<string>(
    `SELECT key FROM file_removal WHERE due_at <= ? ORDER BY key LIMIT ?`,
    Math.floor(now),
    limit,
  )
}

/** Returns the time at which the next removal is due (UNIX seconds). */
export function nextRemovalAt(sql: Sql): number | undefined {
  return sql.value(`SELECT MIN(due_at) AS due_at FROM file_removal`)
}

/**
 * Records since when an upload may have had no message that links to it. The table `unclaimed_attachment` is
 * owned by this file. A message that claims it leaves its row, which is checked when it is due.
 */
export function putUnclaimed(sql: WritableSql, attachmentId: number, since: number): void {
  sql.run(
    `INSERT INTO unclaimed_attachment (attachment_id, since) VALUES (?1, ?2)
     ON CONFLICT (attachment_id) DO UPDATE SET since = ?2`,
    attachmentId,
    Math.floor(since),
  )
}

/** Lists uploads without a message since before `time` (UNIX seconds), those that have been so longest first. */
export function listUnclaimed(sql: Sql, time: number, limit: number): number[] {
  return sql.values(
    `SELECT attachment_id AS id FROM unclaimed_attachment WHERE since <= ? ORDER BY since, attachment_id LIMIT ?`,
    time,
    limit,
  )
}

export function deleteUnclaimed(sql: WritableSql, attachmentId: number): void {
  sql.run(`DELETE FROM unclaimed_attachment WHERE attachment_id = ?`, attachmentId)
}

/** Returns UNIX seconds; undefined without any. */
export function oldestUnclaimedAt(sql: Sql): number | undefined {
  return sql.value(`SELECT MIN(since) AS since FROM unclaimed_attachment`)
}
