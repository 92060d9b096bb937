import type { RealmIdentity } from '../../core/realm-transaction.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

const EXPORTS = new Rows<RealmExport>(
  'realm_export',
  'id type acting_user_id origin secret newest_message_id consenting:json started_at finished_at failed_at deleted_at progress:json tries size',
)

/** 1: what is public in the organization; 2: also the private data of users who consent; 3: everybody's private data. */
export const EXPORT_TYPES = { public: 1, standard: 2, whole: 3 } as const
export type ExportType = (typeof EXPORT_TYPES)[keyof typeof EXPORT_TYPES]

/** An export of the organization's data. The table `realm_export` is owned by this file. */
export interface RealmExport {
  readonly id: number
  readonly type: ExportType
  readonly actingUserId: number
  /** The organization's address when it was requested: `https://chat.example.com`. */
  readonly origin: string
  /** A part of the archive's key in R2, never given away. */
  readonly secret: string
  readonly newestMessageId: number
  /** Users whose private data was to be in it when it was started: none, those who consented, or all. */
  readonly consenting: readonly number[]
  /** UNIX seconds with fraction, as all its times. */
  readonly startedAt: number
  readonly finishedAt: number | null
  readonly failedAt: number | null
  readonly deletedAt: number | null
  /** Progress of the work; null when nothing is left to do. */
  readonly progress: ExportProgress | null
  /** Number of the job's runs that have been started since the last progress. */
  readonly tries: number
  /** Bytes of the archive, once it exists. */
  readonly size: number | null
}

type NewExport = Pick<
  RealmExport,
  'type' | 'actingUserId' | 'origin' | 'secret' | 'newestMessageId' | 'consenting' | 'startedAt' | 'progress'
>

export function insertExport(sql: WritableSql, created: NewExport): number {
  return EXPORTS.insertNew(sql, created)
}

export function findExport(sql: Sql, id: number): RealmExport | undefined {
  return EXPORTS.find(sql, `WHERE id = ?`, id)
}

/** Lists all exports ever made, the oldest first. */
export function listExports(sql: Sql): RealmExport[] {
  return EXPORTS.list(sql, `ORDER BY id`)
}

/** Lists the exports whose archives exist, the oldest first. */
export function listFinishedExports(sql: Sql): RealmExport[] {
  return EXPORTS.list(sql, `WHERE finished_at IS NOT NULL AND deleted_at IS NULL ORDER BY id`)
}

export function countExportsSince(sql: Sql, since: number): number {
  return sql.value(`SELECT COUNT(*) AS n FROM realm_export WHERE started_at > ?`, since)!
}

/** Finds the oldest export with work left to do. */
export function findUnfinishedExport(sql: Sql): RealmExport | undefined {
  return EXPORTS.find(sql, `WHERE progress IS NOT NULL ORDER BY id LIMIT 1`)
}

/** Counts a run that begins. */
export function countTry(sql: WritableSql, id: number): void {
  sql.run(`UPDATE realm_export SET tries = tries + 1 WHERE id = ?`, id)
}

/** Uncounts a run that has ended without harm, because what it needs was missing. */
export function uncountTry(sql: WritableSql, id: number): void {
  sql.run(`UPDATE realm_export SET tries = max(tries - 1, 0) WHERE id = ?`, id)
}

/** Continues from `from`; false when the progress has changed, so that nothing may follow. */
export function advanceExport(
  sql: WritableSql,
  id: number,
  from: ExportProgress,
  progress: ExportProgress | null,
): boolean {
  return sql.runForAny(
    `UPDATE realm_export SET progress = ?3, tries = 0 WHERE id = ?1 AND progress = ?2 RETURNING id`,
    id,
    JSON.stringify(from),
    progress && JSON.stringify(progress),
  )
}

export function markFinished(sql: WritableSql, id: number, at: number, size: number): void {
  sql.run(`UPDATE realm_export SET finished_at = ?2, size = ?3 WHERE id = ?1`, id, at, size)
}

export function markFailed(sql: WritableSql, id: number, at: number): void {
  sql.run(`UPDATE realm_export SET failed_at = ?2 WHERE id = ?1`, id, at)
}

export function markDeleted(sql: WritableSql, id: number, at: number): void {
  sql.run(`UPDATE realm_export SET deleted_at = ?2 WHERE id = ?1`, id, at)
}

/** Returns all accounts but those of the system, whether they are open or not, by id. */
export function everybodysIds(sql: Sql): readonly number[] {
  return sql
    .list(`SELECT json_group_array(id) AS ids FROM user WHERE is_system_bot = 0`)
    .sort((a, b) => a - b)
}

/**
 * Returns people who let administrators export their private data, whether their account is open or not, and
 * their bots; by id. System bots consent to nothing. Each page of an export asks for them.
 */
export function consentingIds(sql: Sql): readonly number[] {
  return sql.kept('ids of those who consent to exports', () => {
    // In one row, since there may be ten thousand.
    return sql
      .list(
        `WITH person AS (
         SELECT id FROM user WHERE bot_type IS NULL AND is_system_bot = 0
           AND json_extract(settings, '$.allow_private_data_export') = 1
       ), consenting AS (
         SELECT id FROM person
         UNION SELECT id FROM user WHERE bot_type IS NOT NULL AND is_system_bot = 0
           AND bot_owner_id IN (SELECT id FROM person)
       )
       SELECT json_group_array(id) AS ids FROM consenting`,
      )
      .sort((a, b) => a - b)
  })
}

/** Progress of an export, stored after every chunk, so that the object may die at any moment. */
export type ExportProgress = CollectingProgress | AssemblingProgress | TidyingProgress

/** The first phase of an export: the contents of the archive are read, and stored in R2 chunk by chunk. */
export interface CollectingProgress {
  readonly stage: 'collect'
  /** Index in EXPORT_SOURCES. */
  readonly source: number
  /** Position at which the source continues; [] for its beginning. */
  readonly cursor: readonly number[]
  /** Number of the source's files so far. */
  readonly files: number
  /** Number of chunks so far, and their bytes in the archive. */
  readonly chunks: number
  readonly length: number
  /** Position at which the uploads begin: the export goes back to it when one of them is deleted meanwhile. */
  readonly uploadsFrom?: UploadsStart
}

interface UploadsStart {
  readonly source: number
  readonly chunks: number
  readonly length: number
  /** Number of times that the uploads have been collected again. */
  readonly again?: number
}

/** The second phase: the chunks are joined into one object in R2, in parts of equal size. */
export interface AssemblingProgress {
  readonly stage: 'assemble'
  /** Bytes of the archive. */
  readonly length: number
  readonly uploadsFrom: UploadsStart
  /** The id of the multipart upload; null before it is started. */
  readonly uploadId: string | null
  /** Tags of the stored parts; null for one that is to be made again. */
  readonly etags: readonly (string | null)[]
}

/** The third phase: the chunks are deleted. An export that failed goes here at once. */
export interface TidyingProgress {
  readonly stage: 'tidy'
  /** The archive's length in bytes; null when it failed. */
  readonly length: number | null
  /** The upload to abort, if the export failed in the middle of it. */
  readonly uploadId: string | null
}

export const FIRST_PROGRESS: ExportProgress = {
  stage: 'collect',
  source: 0,
  cursor: [],
  files: 0,
  chunks: 0,
  length: 0,
}

/** Path of archives, followed by realm, secret and name. Nobody can guess an address. */
export const EXPORT_PATH = '/user_avatars/exports/'

export function archiveName(
  { stringId }: Pick<RealmIdentity, 'stringId'>,
  { id }: { readonly id: number },
): string {
  return `${stringId}-export-${id}.tar`
}

/** Returns the prefix of all of an export's keys in R2. */
export function exportPrefix(realmId: number, { secret }: { readonly secret: string }): string {
  return `exports/${realmId}/${secret}/`
}

export function archiveKey(realmId: number, exported: { readonly secret: string }): string {
  return `${exportPrefix(realmId, exported)}archive`
}
