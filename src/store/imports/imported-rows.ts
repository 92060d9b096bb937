import type { Sql, WritableSql } from '../../core/sql.ts'
import type { NeutralType } from '../../imports/neutral.ts'

/** The things here that things of a source have become. The table `imported_thing` is owned by this file. */
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

/** The thing here that an import has made or found for one of the source. */
interface NewImported {
  readonly sourceId: number
  readonly importId: number
  readonly type: ImportedType
  readonly id: string
  readonly targetId: number
  /** False for what was here before. */
  readonly isMade: boolean
  readonly message?: ImportedMessage
}

/** Facts about an imported message: what the source had, the version here that has it, and how many reactions and entries of a poll it had. */
export interface ImportedMessage {
  readonly digest: number
  readonly version: number
  readonly reactions: number
}

/** A thing that an import has made, or found. */
export interface ImportedThing {
  readonly id: string
  readonly targetId: number
  readonly importId: number
  readonly isMade: boolean
  readonly version: number
  readonly reactions: number
}

/** Lists the next things of a source of one type, by their ids there. */
export function listThingsOf(
  sql: Sql,
  sourceId: number,
  type: ImportedType,
  after: string,
  limit: number,
): ImportedThing[] {
  return sql
    .all<Omit<ImportedThing, 'isMade'> & { isMade: number }>(
      `SELECT id, target_id AS targetId, import_id AS importId, is_made AS isMade, ifnull(version, 0) AS version,
         ifnull(reactions, 0) AS reactions
       FROM imported_thing WHERE source_id = ? AND type = ? AND id > ? ORDER BY id LIMIT ?`,
      sourceId,
      type,
      after,
      limit,
    )
    .map((thing) => ({ ...thing, isMade: thing.isMade === 1 }))
}

/** Returns what is known of a message that was imported. */
export function findImportedMessage(
  sql: Sql,
  sourceId: number,
  id: string,
): (Omit<ImportedMessage, 'reactions'> & { readonly targetId: number }) | undefined {
  return sql.first(
    `SELECT target_id AS targetId, ifnull(digest, 0) AS digest, ifnull(version, 0) AS version
     FROM imported_thing WHERE source_id = ? AND type = 'message' AND id = ?`,
    sourceId,
    id,
  )
}

/** Writes down that a message has another text of the source now. */
export function noteNewText(
  sql: WritableSql,
  sourceId: number,
  id: string,
  { digest, version }: Pick<ImportedMessage, 'digest' | 'version'>,
): void {
  sql.run(
    `UPDATE imported_thing SET digest = ?, version = ? WHERE source_id = ? AND type = 'message' AND id = ?`,
    digest,
    version,
    sourceId,
    id,
  )
}

export function deleteThings(
  sql: WritableSql,
  sourceId: number,
  type: ImportedType,
  ids: readonly string[],
): void {
  sql.run(
    `DELETE FROM imported_thing WHERE source_id = ? AND type = ? AND id IN (SELECT value FROM json_each(?))`,
    sourceId,
    type,
    JSON.stringify(ids),
  )
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

/** Forgets what has become a file: a further import of the source copies it again. */
export function forgetImportedFile(sql: WritableSql, attachmentId: number): void {
  sql.run(`DELETE FROM imported_thing WHERE type = 'file' AND target_id = ?`, attachmentId)
}

export function insertImported(
  sql: WritableSql,
  { sourceId, importId, type, id, targetId, isMade, message }: NewImported,
): void {
  sql.run(
    `INSERT INTO imported_thing (source_id, type, id, target_id, import_id, is_made, digest, version, reactions)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    sourceId,
    type,
    id,
    targetId,
    importId,
    Number(isMade),
    message?.digest ?? null,
    message?.version ?? null,
    message?.reactions ?? null,
  )
}
