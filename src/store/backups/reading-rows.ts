import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

/** Something that is read from a backup: a comparison, or a part that is given back. The table `backup_reading` is owned by this file. */
export interface BackupReading {
  readonly id: number
  readonly backupId: number
  /** The owner who has asked for it. */
  readonly askedBy: number
  /** What is given back; null for a comparison. */
  readonly part: BackupPart | null
  /** UNIX seconds with fraction, as all its times. */
  readonly beganAt: number
  readonly finishedAt: number | null
  readonly failedAt: number | null
  /** Progress of the work; null when nothing is left to do. */
  readonly progress: ReadingProgress | null
  /** Number of runs since the last progress. */
  readonly tries: number
  readonly counts: ReadingCounts
}

/** Counts by name: of a comparison `messages.changed`, of a part `messages`. */
export type ReadingCounts = Readonly<Record<string, number>>

/** The messages of a channel, of one of its topics, or of a person. */
export type BackupPart =
  | { readonly channelId: number; readonly topic: string | null }
  | { readonly userId: number }

/** A position in the rows of a table: a chunk, and a line in it. After the chunks come the rows that had changed. */
export interface RowsPosition {
  readonly chunk: number
  readonly line: number
}

/** Progress of a reading: all that its next run needs to know. */
export type ReadingProgress =
  /** Notes the rows that had changed since they were copied into the backup. */
  | { readonly stage: 'changes'; readonly chunk: number }
  /** Compares a table, by its position in the list, from an id on. */
  | { readonly stage: 'compare'; readonly table: number; readonly chunk: number; readonly after: number }
  /** Finds the names of topics that are gone. */
  | ({ readonly stage: 'name' } & RowsPosition)
  /** Finds the topics of the part. */
  | ({ readonly stage: 'topics' } & RowsPosition)
  /** Finds its messages that are gone. */
  | ({ readonly stage: 'find' } & RowsPosition)
  /** Writes messages with their texts. */
  | ({ readonly stage: 'write' } & RowsPosition)
  /** Writes what belongs to the messages, by the position of its table in the list. */
  | ({ readonly stage: 'belongings'; readonly table: number } & RowsPosition)
  | { readonly stage: 'files' }
  /** Posts messages that are among others which were posted, from an id on. */
  | { readonly stage: 'post'; readonly after: number }
  | { readonly stage: 'tidy' }

const READINGS = new Rows<BackupReading>(
  'backup_reading',
  'id backup_id asked_by part:json began_at finished_at failed_at progress:json tries counts:json',
)

export function insertReading(
  sql: WritableSql,
  created: Pick<BackupReading, 'backupId' | 'askedBy' | 'part' | 'beganAt' | 'progress'>,
): number {
  return READINGS.insertNew(sql, created)
}

/** Lists the newest parts of a backup that were given back, the newest first. */
export function listGivenBack(
  sql: Sql,
  { backupId, limit }: { readonly backupId: number; readonly limit: number },
): BackupReading[] {
  return READINGS.list(
    sql,
    `WHERE backup_id = ? AND part IS NOT NULL ORDER BY id DESC LIMIT ?`,
    backupId,
    limit,
  )
}

/** Finds the newest comparison with a backup. */
export function findComparison(sql: Sql, backupId: number): BackupReading | undefined {
  return READINGS.find(sql, `WHERE backup_id = ? AND part IS NULL ORDER BY id DESC LIMIT 1`, backupId)
}

export function findUnfinishedReading(sql: Sql): BackupReading | undefined {
  return READINGS.find(sql, `WHERE progress IS NOT NULL ORDER BY id LIMIT 1`)
}

export function countReadingsSince(sql: Sql, since: number): number {
  return sql.value(`SELECT COUNT(*) AS n FROM backup_reading WHERE began_at > ?`, since)!
}

/** Counts a run that begins. */
export function countReadingTry(sql: WritableSql, id: number): void {
  sql.run(`UPDATE backup_reading SET tries = tries + 1 WHERE id = ?`, id)
}

/** Continues from `from`; false when the progress has changed, so that nothing may follow. */
export function advanceReading(
  sql: WritableSql,
  { id, progress: from }: Pick<BackupReading, 'id' | 'progress'>,
  progress: ReadingProgress,
): boolean {
  return sql.runForAny(
    `UPDATE backup_reading SET progress = ?3, tries = 0 WHERE id = ?1 AND progress = ?2 RETURNING id`,
    id,
    JSON.stringify(from),
    JSON.stringify(progress),
  )
}

/** Adds to the counts of a reading. */
export function addToCounts(sql: WritableSql, id: number, counts: ReadingCounts): void {
  for (const [name, count] of Object.entries(counts))
    if (count > 0)
      sql.run(
        `UPDATE backup_reading SET counts = json_set(counts, ?2, ifnull(counts->>?2, 0) + ?3) WHERE id = ?1`,
        id,
        `$."${name}"`,
        count,
      )
}

export function endReading(
  sql: WritableSql,
  id: number,
  ended: Partial<Pick<BackupReading, 'finishedAt' | 'failedAt'>>,
): void {
  READINGS.change(sql, id, { ...ended, progress: null })
}

/** Deletes readings that began before a time. */
export function deleteOldReadings(sql: WritableSql, before: number): void {
  sql.run(
    `DELETE FROM backup_difference WHERE reading_id IN (SELECT id FROM backup_reading WHERE began_at < ?)`,
    before,
  )
  sql.run(`DELETE FROM backup_reading WHERE began_at < ? AND progress IS NULL`, before)
}
