import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { FormatSearch, Plain } from '../../imports/import-reader.ts'
import { Rows } from '../select-rows.ts'
import type { ImportReport } from './import-report.ts'

const IMPORTS = new Rows<RealmImport>(
  'realm_import',
  'id acting_user_id name archive_path size unpacked_size secret started_at ended_at format source source_id is_paused:flag progress:json report:json outcome failure undo_refusal tries mapping:json',
)

/** An import of an archive. The tables `realm_import` and `realm_import_mapping` are owned by this file. */
export interface RealmImport {
  readonly id: number
  readonly actingUserId: number
  /** The archive's name on the owner's device. */
  readonly name: string
  /** The path of the upload. */
  readonly archivePath: string
  /** Bytes. */
  readonly size: number
  /** Size in bytes of the unpacked copy in R2, which is read instead of a compressed archive; null if the archive is read as it is. */
  readonly unpackedSize: number | null
  /** A random part of the keys of its pieces in R2. */
  readonly secret: string
  /** UNIX seconds with fraction, as all its times. */
  readonly startedAt: number
  readonly endedAt: number | null
  /** The name of the reader, once it is found. */
  readonly format: string | null
  readonly source: string | null
  /** The first import of the same source. */
  readonly sourceId: number | null
  readonly isPaused: boolean
  /** Null when nothing is left to do. */
  readonly progress: ImportProgress | null
  readonly mapping: ImportMapping
  readonly report: ImportReport
  readonly outcome: ImportOutcome | null
  /** Why it failed, in words. */
  readonly failure: string | null
  /** The reason why the last attempt to undo it failed. */
  readonly undoRefusal: string | null
  readonly tries: number
}

export type NewImport = Pick<
  RealmImport,
  'actingUserId' | 'name' | 'archivePath' | 'size' | 'secret' | 'startedAt' | 'mapping' | 'report'
> & { readonly progress: ImportProgress }

export function insertImport(sql: WritableSql, { mapping, ...made }: NewImport): number {
  const id = IMPORTS.insertNew(sql, made)
  sql.run(`INSERT INTO realm_import_mapping (import_id, mapping) VALUES (?, ?)`, id, JSON.stringify(mapping))
  return id
}

const IMPORT = `SELECT ${IMPORTS.columns} FROM realm_import i JOIN realm_import_mapping m ON m.import_id = i.id`

export function findImport(sql: Sql, id: number): RealmImport | undefined {
  return IMPORTS.first(sql, `${IMPORT} WHERE i.id = ?`, id)
}

/** Returns an import's counts, without reading its mapping. */
export function findReport(sql: Sql, id: number): ImportReport {
  return fromJson(sql.value<JsonText<ImportReport>>(`SELECT report FROM realm_import WHERE id = ?`, id)!)
}

/** Lists the last imports, the newest first. */
export function listNewestImports(sql: Sql, limit: number): RealmImport[] {
  return IMPORTS.all(sql, `${IMPORT} ORDER BY i.id DESC LIMIT ?`, limit)
}

export function countImportsSince(sql: Sql, since: number): number {
  return sql.value(`SELECT COUNT(*) AS n FROM realm_import WHERE started_at > ?`, since)!
}

/** Finds the import with work left to do: there is one at most. */
export function findUnfinishedImport(sql: Sql): RealmImport | undefined {
  return IMPORTS.first(sql, `${IMPORT} WHERE i.progress IS NOT NULL ORDER BY i.id LIMIT 1`)
}

/** Finds the last import of a source, before another one, that has left something. */
export function findSource(
  sql: Sql,
  source: string,
  before: number,
): (Pick<RealmImport, 'mapping'> & { readonly sourceId: number }) | undefined {
  const row = sql.first<{ source_id: number; mapping: JsonText<ImportMapping> }>(
    `SELECT i.source_id, m.mapping FROM realm_import i JOIN realm_import_mapping m ON m.import_id = i.id
     WHERE i.source = ? AND i.id < ? AND EXISTS
       (SELECT 1 FROM imported_thing t WHERE t.source_id = i.source_id) ORDER BY i.id DESC LIMIT 1`,
    source,
    before,
  )
  return row && { sourceId: row.source_id, mapping: fromJson(row.mapping) }
}

/** Returns when the newest of the archives of a source was made that were imported before this import; undefined if nobody knows. */
export function newestMadeAt(sql: Sql, sourceId: number, before: number): number | undefined {
  return sql.value(
    `SELECT MAX(report ->> '$.madeAt') AS at FROM realm_import
     WHERE source_id = ? AND id < ? AND outcome <> 'undone' AND json_array_length(report, '$.written') > 0`,
    sourceId,
    before,
  )
}

export function writeUnpackedSize(sql: WritableSql, id: number, size: number): void {
  sql.run(`UPDATE realm_import SET unpacked_size = ? WHERE id = ?`, size, id)
}

export function nameFormat(sql: WritableSql, id: number, format: string): void {
  sql.run(`UPDATE realm_import SET format = ? WHERE id = ?`, format, id)
}

export function nameSource(sql: WritableSql, id: number, source: string, sourceId: number): void {
  sql.run(`UPDATE realm_import SET source = ?, source_id = ? WHERE id = ?`, source, sourceId, id)
}

/** Counts a run at its start. */
export function countTry(sql: WritableSql, id: number): void {
  sql.run(`UPDATE realm_import SET tries = tries + 1 WHERE id = ?`, id)
}

/** Takes back the count of a run that ended harmlessly, for lack of room. */
export function uncountTry(sql: WritableSql, id: number): void {
  sql.run(`UPDATE realm_import SET tries = max(tries - 1, 0) WHERE id = ?`, id)
}

/** Thrown when an import is no longer where a step began, since an owner has cancelled it. */
export class ImportMovedError extends Error {}

/** Continues from `from`.
 * @throws ImportMovedError */
export function requireAdvance(
  sql: WritableSql,
  id: number,
  from: ImportProgress,
  progress: ImportProgress | null,
): void {
  if (!advanceImport(sql, id, from, progress)) throw new ImportMovedError()
}

/** Continues from `from`; false when the progress has changed, so that nothing may follow. */
export function advanceImport(
  sql: WritableSql,
  id: number,
  from: ImportProgress,
  progress: ImportProgress | null,
): boolean {
  return sql.runForAny(
    `UPDATE realm_import SET progress = ?3, tries = 0 WHERE id = ?1 AND progress = ?2 RETURNING id`,
    id,
    JSON.stringify(from),
    progress && JSON.stringify(progress),
  )
}

/** Returns the name of the last later import that has written something which is still there. */
export function laterImportOf(sql: Sql, id: number): string | undefined {
  return sql.value(
    `SELECT name FROM realm_import WHERE id > ? AND outcome <> 'undone' AND json_array_length(report, '$.written') > 0
     ORDER BY id DESC LIMIT 1`,
    id,
  )
}

/** Begins to undo an import that has ended. */
export function beginUndo(sql: WritableSql, id: number, progress: ImportProgress): void {
  sql.run(
    `UPDATE realm_import SET progress = ?, undo_refusal = NULL, is_paused = 0, tries = 0
     WHERE id = ? AND progress IS NULL`,
    JSON.stringify(progress),
    id,
  )
}

export function refuseUndo(sql: WritableSql, id: number, why: string): void {
  sql.run(`UPDATE realm_import SET undo_refusal = ? WHERE id = ?`, why, id)
}

export function writeReport(sql: WritableSql, id: number, report: ImportReport): void {
  sql.run(`UPDATE realm_import SET report = ? WHERE id = ?`, JSON.stringify(report), id)
}

export function writeMapping(sql: WritableSql, id: number, mapping: ImportMapping): void {
  sql.run(`UPDATE realm_import_mapping SET mapping = ? WHERE import_id = ?`, JSON.stringify(mapping), id)
}

export function setPaused(sql: WritableSql, id: number, isPaused: boolean): void {
  sql.run(`UPDATE realm_import SET is_paused = ? WHERE id = ?`, Number(isPaused), id)
}

/** Gives an import to another owner, in whose name it writes from now on. */
export function giveImport(sql: WritableSql, id: number, userId: number): void {
  sql.run(`UPDATE realm_import SET acting_user_id = ? WHERE id = ?`, userId, id)
}

export function endImport(sql: WritableSql, id: number, outcome: ImportOutcome, at: number): void {
  sql.run(`UPDATE realm_import SET outcome = ?, ended_at = ? WHERE id = ?`, outcome, at, id)
}

export function writeFailure(sql: WritableSql, id: number, failure: string): void {
  sql.run(`UPDATE realm_import SET failure = ? WHERE id = ?`, failure, id)
}

/** Ends what the import under way reads and writes, where neither its archive nor what was read of it is there any more; returns whether there is one. */
export function failUnfinishedImport(sql: WritableSql, failure: string): boolean {
  const imported = findUnfinishedImport(sql)
  if (!imported?.progress || ['tidy', 'check', 'undo'].includes(imported.progress.stage)) return false
  advanceImport(sql, imported.id, imported.progress, { stage: 'tidy', outcome: 'failed' })
  writeFailure(sql, imported.id, failure)
  setPaused(sql, imported.id, false)
  return true
}

/** Progress of an import, stored with each step, so that the object may die at any moment. */
export type ImportProgress =
  | UnpackingProgress
  | RecognisingProgress
  | ReadingProgress
  | WaitingProgress
  | WritingThingsProgress
  | CopyingFilesProgress
  | WritingMessagesProgress
  | TidyingProgress
  | CheckingUndoProgress
  | UndoingProgress

/** An archive that is packed as a whole is unpacked, into parts in R2. */
export interface UnpackingProgress {
  readonly stage: 'unpack'
  /** Parts that are stored, and their bytes. */
  readonly parts: number
  readonly bytes: number
  /** Parts that the present reading has come to, and the number of readings: each begins at the start of the archive. */
  readonly read: number
  readonly readings: number
}

/** The format is found, and the archive is divided into units. */
export interface RecognisingProgress {
  readonly stage: 'recognise'
  /** The position at which the search for the format continues. */
  readonly search?: FormatSearch
}

/** Units are read, into pieces in R2. Nothing of the organization is changed. */
export interface ReadingProgress {
  readonly stage: 'read'
  /** The next unit, and the number of all. */
  readonly unit: number
  readonly units: number
  /** Units that are left and may add others. An import that an earlier build has begun does not count them. */
  readonly adding?: number
  /** The number of all units, once no unit can add others. It stays as it is. */
  readonly total?: number
  readonly pieces: number
  /** The state of the reader (imports/import-reader.ts). */
  readonly state: { readonly [key: string]: Plain }
}

/** Everything is read and counted, and an owner decides. */
export interface WaitingProgress {
  readonly stage: 'wait'
}

/** People, groups and channels are written, one type after the other; and what needs the messages, after them. */
export interface WritingThingsProgress {
  readonly stage: 'things'
  /** Index in THINGS_IN_ORDER. */
  readonly step: number
  /** Number of the piece among those of the type, and the line in it. */
  readonly piece: number
  readonly line: number
}

/** Files and pictures are copied. */
export interface CopyingFilesProgress {
  readonly stage: 'files'
  /** Position of the piece among those with files, and the line in it. */
  readonly piece: number
  readonly line: number
}

/** Messages are written, by time. */
export interface WritingMessagesProgress {
  readonly stage: 'messages'
  /** Bytes of each run that are written, by the position of its piece. */
  readonly offsets: readonly (readonly [piece: number, bytes: number])[]
  readonly messages: number
  /** Since when it runs without a pause (UNIX seconds), and how many messages had been written then. */
  readonly mark?: { readonly at: number; readonly messages: number }
}

/** The pieces are deleted. */
export interface TidyingProgress {
  readonly stage: 'tidy'
  readonly outcome: ImportOutcome
}

/** Before an import is undone, a check for anything that depends on it. */
export interface CheckingUndoProgress {
  readonly stage: 'check'
  /** Index in CHECKED_TYPES, and the id of the last thing that was checked. */
  readonly step: number
  readonly after: string
}

export interface UndoingProgress {
  readonly stage: 'undo'
  /** Index in UNDO_IN_ORDER, and the id of the last thing that was processed. */
  readonly step: number
  readonly after: string
}

type ImportOutcome = 'finished' | 'cancelled' | 'failed' | 'undone'

export const FIRST_PROGRESS: ImportProgress = { stage: 'recognise' }

/** An owner's decisions before anything is written. */
export interface ImportMapping {
  /** Accounts that people of the source already have here, by their ids in the source. */
  readonly users: Readonly<Record<string, number>>
  /** Channels here that take the messages of the source's channels, by their ids in the source. */
  readonly channels: Readonly<Record<string, number>>
  /** Names of profile fields, by their ids there. */
  readonly profile_fields: Readonly<Record<string, string>>
  /** The topic of messages that have none there. */
  readonly topic: string
  readonly private_channels: boolean
  readonly direct_messages: boolean
  /** Whether the organization becomes what the source was: its settings and permissions, and those of the owner who imports. */
  readonly settings: boolean
}

export const FIRST_MAPPING: ImportMapping = {
  users: {},
  channels: {},
  profile_fields: {},
  topic: 'imported',
  private_channels: true,
  direct_messages: true,
  settings: false,
}
