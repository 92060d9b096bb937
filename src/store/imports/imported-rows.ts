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

/** A message that an import has made. */
export interface MadeMessage extends ImportedMessage {
  readonly id: string
  readonly targetId: number
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

/** A message that was imported, as far as a further import of its source asks. */
export type KnownMessage = Omit<ImportedMessage, 'reactions'> & { readonly targetId: number }

/** Ids of one statement, which may have a hundred parameters. */
const IDS_OF_A_STATEMENT = 99

/** Returns what is known of messages that were imported, by their ids in the source. */
export function findImportedMessages(
  sql: Sql,
  sourceId: number,
  ids: readonly string[],
): Map<string, KnownMessage> {
  const found = new Map<string, KnownMessage>()
  for (let at = 0; at < ids.length; at += IDS_OF_A_STATEMENT) {
    const some = ids.slice(at, at + IDS_OF_A_STATEMENT)
    const rows = sql.all<KnownMessage & { readonly id: string }>(
      `SELECT id, target_id AS targetId, ifnull(digest, 0) AS digest, ifnull(version, 0) AS version
       FROM imported_thing WHERE source_id = ? AND type = 'message' AND id IN (${some.map(() => '?').join()})`,
      sourceId,
      ...some,
    )
    for (const { id, ...known } of rows) found.set(id, known)
  }
  return found
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

/** Rows of one statement, which may have a hundred parameters. */
const ROWS_OF_A_STATEMENT = 14

export function insertImportedMessages(
  sql: WritableSql,
  { sourceId, importId }: Pick<NewImported, 'sourceId' | 'importId'>,
  messages: readonly MadeMessage[],
): void {
  for (let at = 0; at < messages.length; at += ROWS_OF_A_STATEMENT) {
    const some = messages.slice(at, at + ROWS_OF_A_STATEMENT)
    const rows = some.map(() => `(?, 'message', ?, ?, ?, 1, ?, ?, ?)`).join()
    sql.run(
      `INSERT INTO imported_thing (source_id, type, id, target_id, import_id, is_made, digest, version, reactions)
       VALUES ${rows}`,
      ...some.flatMap(({ id, targetId, digest, version, reactions }) => [
        sourceId,
        id,
        targetId,
        importId,
        digest,
        version,
        reactions,
      ]),
    )
  }
}
