import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'
import { Rows } from '../select-rows.ts'

const LETTERS = new Rows<DeadLetter>(
  'dead_letter',
  'id kind description first_tried_at last_tried_at attempts error',
)

/**
 * Kind of work that a retry of a dead letter repeats: a mail, a call of an outgoing webhook, notifications on devices, previews of
 * websites, a due job of the server's own.
 */
export type DeadLetterKind = 'mail' | 'webhook' | 'push' | 'preview' | 'job'

/** Work that has been given up. The table `dead_letter` is owned by this file. */
export interface DeadLetter {
  readonly id: number
  readonly kind: DeadLetterKind
  /** The work in words, without keys and without anything that a user wrote. */
  readonly description: string
  /** UNIX seconds. */
  readonly firstTriedAt: number
  readonly lastTriedAt: number
  readonly attempts: number
  /** Error of the last try. */
  readonly error: string
}

/** Everything that a retry needs. */
export type DeadLetterPayload = Readonly<Record<string, string | number>>

/** Number of dead letters of one kind, of which the newest are kept: many of one kind do not displace others. */
const MAX_OF_A_KIND = 200
/** Length of a description, in UTF-16 units. */
const MAX_DESCRIPTION_LENGTH = 300
const MAX_ERROR_LENGTH = 300

export type NewDeadLetter = Omit<DeadLetter, 'id' | 'lastTriedAt' | 'firstTriedAt'> & {
  readonly firstTriedAt: number | null
  readonly payload: DeadLetterPayload
}

/** Inserts a dead letter, and deletes the oldest of its kind when there are too many, and those that are too old. `now`: UNIX seconds. */
export function insertDeadLetter(sql: WritableSql, letter: NewDeadLetter, now: number): void {
  const { kind, attempts, payload } = letter
  const row = {
    kind,
    description: letter.description.slice(0, MAX_DESCRIPTION_LENGTH),
    firstTriedAt: letter.firstTriedAt ?? now,
    lastTriedAt: now,
    attempts,
    error: letter.error.slice(0, MAX_ERROR_LENGTH),
  }
  LETTERS.insert(sql, row, { payload: JSON.stringify(payload) })
  sql.run(
    `DELETE FROM dead_letter WHERE last_tried_at < ?3 OR (kind = ?1 AND id <= (
       SELECT id FROM dead_letter WHERE kind = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2))`,
    kind,
    MAX_OF_A_KIND,
    now - KEPT_SECONDS,
  )
}

export function deleteDeadLettersBefore(sql: WritableSql, time: number): void {
  sql.run(`DELETE FROM dead_letter WHERE last_tried_at <= ?`, time)
}

/** Returns the oldest one's time in UNIX seconds; undefined without any. */
export function oldestDeadLetterAt(sql: Sql): number | undefined {
  return sql.value(`SELECT MIN(last_tried_at) AS at FROM dead_letter`)
}

/** Deletes calls of outgoing webhooks that are about these messages. There are never more than some hundreds. */
export function deleteDeadWebhookCalls(sql: WritableSql, messageIds: readonly number[]): void {
  sql.run(
    `DELETE FROM dead_letter WHERE kind = 'webhook'
       AND json_extract(payload ->> '$.message', '$.id') IN (SELECT value FROM json_each(?))`,
    messageIds,
  )
}

/**
 * Deletes registrations of a user's device, or of all of them: a retry must not bring back what was logged out. Returns whether there were
 * any.
 */
export function deleteDeadRegistrations(sql: WritableSql, userId: number, token: string | null): boolean {
  const written = sql.run(
    `DELETE FROM dead_letter WHERE kind = 'push' AND payload ->> '$.user' = ?1 AND payload ->> '$.state' = 'new'
       AND (?2 IS NULL OR payload ->> '$.token' = ?2)`,
    userId,
    token,
  )
  return written > 0
}

/** Lists dead letters, newest first. There are never more than some hundreds. */
export function listDeadLetters(sql: Sql, now: number): DeadLetter[] {
  return LETTERS.list(sql, `WHERE last_tried_at >= ? ORDER BY id DESC`, Math.floor(now) - KEPT_SECONDS)
}

/** Removes a dead letter, and returns it with what a retry needs. Undefined when there is none with this id. */
export function takeDeadLetter(
  sql: WritableSql,
  id: number,
): { readonly kind: DeadLetterKind; readonly payload: DeadLetterPayload } | undefined {
  const row = sql.runForFirst<{ kind: string; payload: JsonText<DeadLetterPayload> }>(
    `DELETE FROM dead_letter WHERE id = ? RETURNING kind, payload`,
    id,
  )
  return row && { kind: row.kind as DeadLetterKind, payload: fromJson(row.payload) }
}

/** Returns the oldest ones' ids, ascending. */
export function oldestDeadLetterIds(sql: Sql, limit: number): number[] {
  return sql.values(`SELECT id FROM dead_letter ORDER BY id LIMIT ?`, limit)
}

export function existingDeadLetterIds(sql: Sql, ids: readonly number[]): number[] {
  return sql.values(
    `SELECT id FROM dead_letter WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    ids,
  )
}

export function countDeadLetters(sql: Sql, now: number): number {
  return sql.value(
    `SELECT count(*) AS count FROM dead_letter WHERE last_tried_at >= ?`,
    Math.floor(now) - KEPT_SECONDS,
  )!
}

/** Returns the number of dead letters of each kind that has any. */
export function countDeadLettersByKind(
  sql: Sql,
  now: number,
): { readonly kind: DeadLetterKind; readonly count: number }[] {
  return sql.all(
    `SELECT kind, count(*) AS count FROM dead_letter WHERE last_tried_at >= ? GROUP BY kind`,
    Math.floor(now) - KEPT_SECONDS,
  )
}

/** Seconds for which dead letters, archives of exports, and files that no message links to are kept. */
export const KEPT_SECONDS = 30 * DAY
