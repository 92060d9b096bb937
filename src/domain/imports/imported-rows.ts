import type { Sql, WritableSql } from '../../core/sql.ts'

/** What things of a source have become. The table `imported_thing` is owned by this file. */
export type ImportedType = 'user' | 'group' | 'channel' | 'message'

/** Returns the id here of a thing of a source; undefined for one that was not imported. */
export function findImported(sql: Sql, sourceId: number, type: ImportedType, id: string): number | undefined {
  return sql.first<{ target_id: number }>(
    `SELECT target_id FROM imported_thing WHERE source_id = ? AND type = ? AND id = ?`,
    sourceId,
    type,
    id,
  )?.target_id
}

export function insertImported(
  sql: WritableSql,
  sourceId: number,
  type: ImportedType,
  id: string,
  targetId: number,
): void {
  sql.run(
    `INSERT INTO imported_thing (source_id, type, id, target_id) VALUES (?, ?, ?, ?)`,
    sourceId,
    type,
    id,
    targetId,
  )
}
