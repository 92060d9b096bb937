import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

export const COMPARED_THINGS = ['people', 'channels', 'messages'] as const
export type ComparedThing = (typeof COMPARED_THINGS)[number]

export const DIFFERENCES = ['only_in_backup', 'only_today', 'changed'] as const
export type DifferenceKind = (typeof DIFFERENCES)[number]

/** One thing that differs between a backup and today. The table `backup_difference` is owned by this file. */
export interface Difference {
  readonly of: ComparedThing
  readonly difference: DifferenceKind
  readonly id: number
  readonly details: DifferenceDetails
}

/** What cannot be read from today's rows. */
export interface DifferenceDetails {
  /** Names of what has changed. */
  readonly changed?: readonly string[]
  /** Of a person or a channel that is not there today: the name in the backup. */
  readonly name?: string
  readonly isPrivate?: boolean
  /** Of a message that is not there today. */
  readonly message?: FormerMessage
}

export interface FormerMessage {
  readonly recipientId: number
  readonly topicId: number
  readonly moveId: number | null
  readonly senderId: number
  readonly sentAt: number
  /** The name of its topic, if that is not there today. */
  readonly topic?: string
}

/** Number of the differences of a kind that are kept. All are counted. */
const DIFFERENCES_KEPT = 1_000
/** Number of comparisons whose differences are kept. */
const COMPARISONS_KEPT = 3

const ROWS = new Rows<Difference>('backup_difference', 'of difference id details:json')

/** Puts differences; of each kind only the first ones. */
export function putDifferences(
  sql: WritableSql,
  readingId: number,
  differences: readonly Difference[],
): void {
  const kinds = Map.groupBy(differences, ({ of, difference }) => `${of} ${difference}`)
  for (const some of kinds.values()) {
    const { of, difference } = some[0]!
    const kept = sql.value(
      `SELECT COUNT(*) AS n FROM backup_difference WHERE reading_id = ? AND of = ? AND difference = ?`,
      readingId,
      of,
      difference,
    )!
    for (const one of some.slice(0, DIFFERENCES_KEPT - kept))
      ROWS.replace(sql, one, { reading_id: readingId })
  }
}

export function listDifferences(
  sql: Sql,
  readingId: number,
  { of, difference }: Pick<Difference, 'of' | 'difference'>,
  after: number,
): Difference[] {
  return ROWS.list(
    sql,
    `WHERE reading_id = ? AND of = ? AND difference = ? AND id > ? ORDER BY id LIMIT ${DIFFERENCES_KEPT}`,
    readingId,
    of,
    difference,
    after,
  )
}

/** Returns the topics of listed messages that are gone. */
export function topicsOfDifferences(sql: Sql, readingId: number): ReadonlySet<number> {
  return new Set(
    sql.values(
      `SELECT DISTINCT details->>'$.message.topicId' AS id FROM backup_difference
       WHERE reading_id = ? AND of = 'messages' AND difference = 'only_in_backup' LIMIT ${DIFFERENCES_KEPT}`,
      readingId,
    ),
  )
}

export function nameTopicOfDifferences(
  sql: WritableSql,
  readingId: number,
  { id, name }: { readonly id: number; readonly name: string },
): void {
  sql.run(
    `UPDATE backup_difference SET details = json_set(details, '$.message.topic', ?3)
     WHERE reading_id = ?1 AND of = 'messages' AND difference = 'only_in_backup' AND details->>'$.message.topicId' = ?2`,
    readingId,
    id,
    name,
  )
}

/** Deletes the differences of all but the newest comparisons, and of those with this backup. */
export function deleteOldDifferences(sql: WritableSql, backupId: number): void {
  sql.run(
    `DELETE FROM backup_difference WHERE reading_id IN (
       SELECT id FROM backup_reading WHERE part IS NULL AND backup_id = ?1
       UNION SELECT id FROM (SELECT id FROM backup_reading WHERE part IS NULL ORDER BY id DESC LIMIT -1 OFFSET ${COMPARISONS_KEPT - 1})
     )`,
    backupId,
  )
}
