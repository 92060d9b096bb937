import type { Sql, WritableSql } from '../../core/sql.ts'

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
  return sql
    .all<{ id: number }>(
      `SELECT attachment_id AS id FROM unclaimed_attachment WHERE since <= ? ORDER BY since, attachment_id LIMIT ?`,
      time,
      limit,
    )
    .map(({ id }) => id)
}

export function deleteUnclaimed(sql: WritableSql, attachmentId: number): void {
  sql.run(`DELETE FROM unclaimed_attachment WHERE attachment_id = ?`, attachmentId)
}

/** Returns UNIX seconds; undefined without any. */
export function oldestUnclaimedAt(sql: Sql): number | undefined {
  return (
    sql.first<{ since: number | null }>(`SELECT MIN(since) AS since FROM unclaimed_attachment`)?.since ??
    undefined
  )
}
