import type { Sql, WritableSql } from '../../core/sql.ts'
import type { Key } from '../key-pages.ts'
import { Rows } from '../select-rows.ts'

/** A backup of the organization. The table `backup` is owned by this file. */
export interface Backup {
  readonly id: number
  /** The owner who has asked for it; null for one of the night. */
  readonly askedBy: number | null
  /** UNIX seconds with fraction, as all its times. */
  readonly beganAt: number
  /** The moment whose state it is; null until then. */
  readonly takenAt: number | null
  readonly finishedAt: number | null
  readonly failedAt: number | null
  /** Progress of the work; null when nothing is left to do. */
  readonly progress: BackupProgress | null
  /** Number of runs since the last progress. */
  readonly tries: number
  /** Bytes of all that it consists of, as they are stored. */
  readonly size: number
  /** Those of them that the store did not have before. */
  readonly sent: number
  /** SHA-256 of its manifest, in hexadecimal. */
  readonly digest: string | null
  readonly contents: BackupContents | null
  /** When it is subject to the rule again; null if it always was. */
  readonly keptUntil: number | null
}

/** Numbers of things in a backup. */
export interface BackupContents {
  readonly users: number
  readonly channels: number
  readonly messages: number
  readonly files: number
  /** Bytes of the files. */
  readonly fileBytes: number
}

/** Progress of a backup: all that its next run needs to know. */
export type BackupProgress =
  /** Copies the tables, by their position in the list. */
  | { readonly stage: 'rows'; readonly table: number; readonly after: Key | null }
  | { readonly stage: 'texts'; readonly after: number }
  /** Copies what has changed meanwhile, until so little is left that one turn reads it: that is the moment of the backup. */
  | { readonly stage: 'changes'; readonly round: number }
  | { readonly stage: 'files'; readonly folder: number; readonly after: string }
  | { readonly stage: 'manifest' }
  /** Removes what no kept backup needs. Null: the manifests of those that are not kept. */
  | { readonly stage: 'prune'; readonly part: number | null }

const COLUMNS =
  'id asked_by began_at taken_at finished_at failed_at progress:json tries size sent digest contents:json kept_until'

const BACKUPS = new Rows<Backup>('backup', COLUMNS)
const BACKUPS_ASIDE = new Rows<Backup>('aside_backup', COLUMNS)

export const FIRST_STAGE: BackupProgress = { stage: 'rows', table: 0, after: null }

export function insertBackup(
  sql: WritableSql,
  created: Pick<Backup, 'askedBy' | 'beganAt' | 'progress'> & Partial<Pick<Backup, 'keptUntil'>>,
): number {
  return BACKUPS.insertNew(sql, created)
}

/** Lists the backups that are kept, made or have failed, the newest first. */
export function listBackups(sql: Sql): Backup[] {
  return BACKUPS.list(sql, `WHERE removed_at IS NULL ORDER BY id DESC`)
}

/** The same while other tables are replaced, and this one is aside (living-rows.ts). */
export function listBackupsAside(sql: Sql): Backup[] {
  return BACKUPS_ASIDE.list(sql, `WHERE removed_at IS NULL ORDER BY id DESC`)
}

/** Finds a backup that was made, and is kept. */
export function findKeptBackup(sql: Sql, id: number): Backup | undefined {
  return BACKUPS.find(sql, `WHERE id = ? AND finished_at IS NOT NULL AND removed_at IS NULL`, id)
}

/** Finds a backup that is kept, is made or has failed. */
export function findBackup(sql: Sql, id: number): Backup | undefined {
  return BACKUPS.find(sql, `WHERE id = ? AND removed_at IS NULL`, id)
}

export function findUnfinishedBackup(sql: Sql): Backup | undefined {
  return BACKUPS.find(sql, `WHERE progress IS NOT NULL ORDER BY id LIMIT 1`)
}

/** Returns the latest moment of which a kept backup is (UNIX seconds), 0 without one. */
export function newestMomentOfBackups(sql: Sql): number {
  return sql.value(
    `SELECT ifnull(max(taken_at), 0) AS at FROM backup WHERE finished_at IS NOT NULL AND removed_at IS NULL`,
  )!
}

export function hasFinishedBackup(sql: Sql): boolean {
  return BACKUPS.find(sql, `WHERE finished_at IS NOT NULL LIMIT 1`) !== undefined
}

export function countBackupsSince(sql: Sql, since: number): number {
  return sql.value(`SELECT COUNT(*) AS n FROM backup WHERE began_at > ?`, since)!
}

/** Counts a run that begins. */
export function countBackupTry(sql: WritableSql, id: number): void {
  sql.run(`UPDATE backup SET tries = tries + 1 WHERE id = ?`, id)
}

/** Continues from `from`; false when the progress has changed, so that nothing may follow. */
export function advanceBackup(
  sql: WritableSql,
  { id, progress: from }: Pick<Backup, 'id' | 'progress'>,
  progress: BackupProgress | null,
): boolean {
  return sql.runForAny(
    `UPDATE backup SET progress = ?3, tries = 0 WHERE id = ?1 AND progress = ?2 RETURNING id`,
    id,
    JSON.stringify(from),
    progress && JSON.stringify(progress),
  )
}

export function markTaken(
  sql: WritableSql,
  id: number,
  { at, contents }: { readonly at: number; readonly contents: BackupContents },
): void {
  sql.run(`UPDATE backup SET taken_at = ?2, contents = ?3 WHERE id = ?1`, id, at, JSON.stringify(contents))
}

/** Counts files of a backup. */
export function countFiles(sql: WritableSql, id: number, files: number, bytes: number): void {
  sql.run(
    `UPDATE backup SET contents = json_set(contents, '$.files', contents->>'$.files' + ?2,
       '$.fileBytes', contents->>'$.fileBytes' + ?3) WHERE id = ?1`,
    id,
    files,
    bytes,
  )
}

export function markBackupFinished(sql: WritableSql, id: number, at: number, digest: string): void {
  sql.run(`UPDATE backup SET finished_at = ?2, digest = ?3 WHERE id = ?1`, id, at, digest)
}

export function markBackupFailed(sql: WritableSql, id: number, at: number): void {
  sql.run(`UPDATE backup SET failed_at = ?2, progress = NULL WHERE id = ?1`, id, at)
}

/** Keeps a backup up to a time, whatever the rule says. */
export function keepBackup(sql: WritableSql, id: number, until: number): void {
  sql.run(`UPDATE backup SET kept_until = max(ifnull(kept_until, 0), ?2) WHERE id = ?1`, id, until)
}

export function markBackupsRemoved(sql: WritableSql, ids: readonly number[], at: number): void {
  sql.run(`UPDATE backup SET removed_at = ?2 WHERE id IN (SELECT value FROM json_each(?1))`, ids, at)
}

/** Deletes the rows of backups that were removed, or have failed, and that began before a time each. */
export function deleteOldBackups(
  sql: WritableSql,
  { removed, failed }: { readonly removed: number; readonly failed: number },
): void {
  sql.run(`DELETE FROM backup WHERE removed_at IS NOT NULL AND began_at < ?`, removed)
  sql.run(`DELETE FROM backup WHERE failed_at IS NOT NULL AND began_at < ?`, failed)
}

/** A chunk of the backup that is being made. */
export interface BackupChunk {
  /** The table that its rows are of; or `changes`, `texts` or `files`. */
  readonly part: string
  readonly name: string
  readonly size: number
  readonly rowCount: number
}

/** Adds a chunk, and counts its bytes. `isSent`: the store did not have it. */
export function insertBackupChunk(sql: WritableSql, id: number, chunk: BackupChunk, isSent: boolean): void {
  sql.run(
    `INSERT INTO backup_chunk (part, name, size, row_count) VALUES (?, ?, ?, ?)`,
    chunk.part,
    chunk.name,
    chunk.size,
    chunk.rowCount,
  )
  countStored(sql, id, chunk.size, isSent ? chunk.size : 0)
}

/** Counts bytes of a backup, and those of them that were sent. */
export function countStored(sql: WritableSql, id: number, size: number, sent: number): void {
  sql.run(`UPDATE backup SET size = size + ?2, sent = sent + ?3 WHERE id = ?1`, id, size, sent)
}

/** Lists the chunks of the backup that is being made, in order. */
export function listBackupChunks(sql: Sql): BackupChunk[] {
  return sql.all(`SELECT part, name, size, row_count AS rowCount FROM backup_chunk ORDER BY position`)
}

export function deleteBackupChunks(sql: WritableSql): void {
  sql.run(`DELETE FROM backup_chunk`)
}

/** Counts what there is now, without files. Reads every message's key: 15 ms for a million. */
export function countContents(sql: Sql): BackupContents {
  const count = (what: string) => sql.value(`SELECT COUNT(*) AS n FROM ${what}`)!
  return {
    users: count('user WHERE is_system_bot = 0'),
    channels: count('channel'),
    messages: count('message_index'),
    files: 0,
    fileBytes: 0,
  }
}
