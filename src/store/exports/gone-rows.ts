import type { Sql, WritableSql } from '../../core/sql.ts'

/**
 * Things that were deleted while archives were being made. The table `realm_export_gone` is owned by this
 * file.
 */

/** Records deleted messages for each unfinished archive. `hasFiles`: whether any links to uploads. */
export function insertGone(sql: WritableSql, messageIds: readonly number[], hasFiles: boolean): void {
  sql.run(
    `INSERT INTO realm_export_gone (export_id, message_id, has_files)
     SELECT e.id, m.value, ?2 FROM realm_export e, json_each(?1) m
     WHERE e.progress->>'stage' IN ('collect', 'assemble') AND m.value <= e.newest_message_id
     ON CONFLICT (export_id, message_id) DO UPDATE SET has_files = has_files | ?2`,
    JSON.stringify(messageIds),
    hasFiles ? 1 : 0,
  )
}

export function hasGone(sql: Sql, exportId: number): boolean {
  return sql.first(`SELECT 1 FROM realm_export_gone WHERE export_id = ? LIMIT 1`, exportId) !== undefined
}

export function hasGoneFiles(sql: Sql, exportId: number): boolean {
  return (
    sql.first(`SELECT 1 FROM realm_export_gone WHERE export_id = ? AND has_files = 1 LIMIT 1`, exportId) !==
    undefined
  )
}

/** Forgets deleted files when the uploads are collected from the beginning, without them. */
export function forgetGoneFiles(sql: WritableSql, exportId: number): void {
  sql.run(`UPDATE realm_export_gone SET has_files = 0 WHERE export_id = ? AND has_files = 1`, exportId)
}

/** Returns the deleted messages, from `first` on, ascending. */
export function goneMessages(
  sql: Sql,
  exportId: number,
  first = 0,
  last = Number.MAX_SAFE_INTEGER,
): number[] {
  return sql
    .all<{ message_id: number }>(
      `SELECT message_id FROM realm_export_gone WHERE export_id = ? AND message_id BETWEEN ? AND ?
       ORDER BY message_id LIMIT ${GONE_AT_ONCE}`,
      exportId,
      first,
      last,
    )
    .map(({ message_id }) => message_id)
}

const GONE_AT_ONCE = 10_000

export function deleteGone(
  sql: WritableSql,
  exportId: number,
  first = 0,
  last = Number.MAX_SAFE_INTEGER,
): void {
  sql.run(
    `DELETE FROM realm_export_gone WHERE export_id = ? AND message_id BETWEEN ? AND ?`,
    exportId,
    first,
    last,
  )
}
