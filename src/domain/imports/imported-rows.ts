import type { Sql, WritableSql } from '../../core/sql.ts'
import type { NeutralType } from '../../imports/neutral.ts'

/** What things of a source have become. The table `imported_thing` is owned by this file. */
export type ImportedType = Exclude<NeutralType, 'parley-import' | 'problem'>

/** Returns the id here of a thing of a source; undefined for one that was not imported. */
export function findImported(sql: Sql, sourceId: number, type: ImportedType, id: string): number | undefined {
  return sql.first<{ target_id: number }>(
    `SELECT target_id FROM imported_thing WHERE source_id = ? AND type = ? AND id = ?`,
    sourceId,
    type,
    id,
  )?.target_id
}

/** What an import has made of a thing, or has found for it. */
interface NewImported {
  readonly sourceId: number
  readonly importId: number
  readonly type: ImportedType
  readonly id: string
  readonly targetId: number
  /** False for what was here before. */
  readonly isMade: boolean
}

/** Whether this import has made it: another may have, or it was here. */
export function isMadeBy(
  sql: Sql,
  importId: number,
  { sourceId, type, id }: Pick<NewImported, 'sourceId' | 'type' | 'id'>,
): boolean {
  const row = sql.first(
    `SELECT 1 FROM imported_thing WHERE source_id = ? AND type = ? AND id = ? AND import_id = ? AND is_made = 1`,
    sourceId,
    type,
    id,
    importId,
  )
  return row !== undefined
}

/** Forgets what a thing has become: a further import of the source finds it anew. */
export function forgetImported(sql: WritableSql, sourceId: number, type: ImportedType, id: string): void {
  sql.run(`DELETE FROM imported_thing WHERE source_id = ? AND type = ? AND id = ?`, sourceId, type, id)
}

export function insertImported(
  sql: WritableSql,
  { sourceId, importId, type, id, targetId, isMade }: NewImported,
): void {
  sql.run(
    `INSERT INTO imported_thing (source_id, type, id, target_id, import_id, is_made) VALUES (?, ?, ?, ?, ?, ?)`,
    sourceId,
    type,
    id,
    targetId,
    importId,
    Number(isMade),
  )
}
