import { ServiceUnavailableError } from '../../core/errors.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { MINUTE } from '../../core/time.ts'

/** A mail that waits for the service. The table `email` is owned by this file. */
export interface Email {
  readonly id: number
  readonly recipient: string
  readonly subject: string
  /** The mail as text. */
  readonly body: string
  /** The same as HTML, where it has that too. */
  readonly html: string | null
  /** Headers beside those that every mail has. */
  readonly headers: Readonly<Record<string, string>> | null
  /** UNIX seconds. */
  readonly createdAt: number
  /** The time at which it was handed over; null until then. */
  readonly sentAt: number | null
  /** The number of times that it was started. */
  readonly attempts: number
  /** UNIX seconds; null before. */
  readonly firstTriedAt: number | null
}

interface EmailRow {
  id: number
  recipient: string
  subject: string
  body: string
  html: string | null
  headers: JsonText<Record<string, string>> | null
  created_at: number
  sent_at: number | null
  attempts: number
  first_tried_at: number | null
}

/** The recipient of mail that is written only so that the same is done for an address that nobody has. */
export const NOBODY = ''

/** The job that hands mail over. */
export const SEND_EMAILS = 'send-emails'

/** Mail that waits for the service: more is refused, since nobody would get it in time. */
const MOST_WAITING = 2_000

/** Local development shows what was sent. */
export function keepSentEmail(sql: WritableSql, email: WrittenEmail, now: number): void {
  insertEmail(sql, email, { writtenAt: now, sentAt: now })
}

/** A mail as it was written. */
export type WrittenEmail = Pick<Email, 'recipient' | 'subject' | 'body'> &
  Partial<Pick<Email, 'html' | 'headers'>>

export function insertEmail(
  sql: WritableSql,
  { recipient, subject, body, html = null, headers = null }: WrittenEmail,
  { writtenAt, sentAt }: { writtenAt: number; sentAt: number | null },
): void {
  sql.run(
    `INSERT INTO email (recipient, subject, body, html, headers, created_at, due_at, sent_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7)`,
    recipient,
    subject,
    body,
    html,
    headers && JSON.stringify(headers),
    Math.floor(writtenAt),
    sentAt && Math.floor(sentAt),
  )
}

/**
 * Refuses what would cause mail while too much waits: for operations that must not tell whether they cause any, in every case
 * or in none.
 *
 * @throws ServiceUnavailableError
 */
export function requireRoomForEmail(sql: Sql): void {
  if (!hasRoomForEmail(sql)) throw new ServiceUnavailableError(MINUTE)
}

/** Whether mail may be queued without which all goes on. */
export function hasRoomForEmail(sql: Sql): boolean {
  const waiting = sql.first<{ count: number }>(
    `SELECT (SELECT count(*) FROM email WHERE sent_at IS NULL AND attempts = 0)
       + (SELECT count(*) FROM email WHERE sent_at IS NULL AND attempts > 0) AS count`,
  )!.count
  return waiting < MOST_WAITING
}

/**
 * Begins a mail: new ones first, then those that have failed, each the longest due. Until it is finished it is due again
 * at `until`, in case that the object dies over it. Times in UNIX seconds.
 */
export function leaseEmail(sql: WritableSql, now: number, until: number): Email | undefined {
  const row = sql.runForFirst<EmailRow>(
    `UPDATE email SET due_at = ?2, attempts = attempts + 1, first_tried_at = coalesce(first_tried_at, ?1)
     WHERE id = coalesce(
       (SELECT id FROM email WHERE sent_at IS NULL AND attempts = 0 AND due_at <= ?1 ORDER BY due_at LIMIT 1),
       (SELECT id FROM email WHERE sent_at IS NULL AND attempts > 0 AND due_at <= ?1 ORDER BY due_at LIMIT 1)
     ) RETURNING *`,
    Math.floor(now),
    Math.ceil(until),
  )
  return row && emailOf(row)
}

export function retryEmailLater(sql: WritableSql, id: number, dueAt: number): void {
  sql.run(`UPDATE email SET due_at = ? WHERE id = ?`, Math.ceil(dueAt), id)
}

/** The time at which the next mail is due (UNIX seconds); undefined when none waits. */
export function nextEmailAt(sql: Sql): number | undefined {
  const { fresh, retried } = sql.first<{ fresh: number | null; retried: number | null }>(
    `SELECT (SELECT MIN(due_at) FROM email WHERE sent_at IS NULL AND attempts = 0) AS fresh,
       (SELECT MIN(due_at) FROM email WHERE sent_at IS NULL AND attempts > 0) AS retried`,
  )!
  if (fresh === null || retried === null) return fresh ?? retried ?? undefined
  return Math.min(fresh, retried)
}

/** The oldest mail that waits and was written before a time. */
export function oldestWaitingEmail(sql: Sql, before: number): Email | undefined {
  const row = sql.first<EmailRow>(
    `SELECT * FROM email WHERE sent_at IS NULL AND created_at < ? ORDER BY id LIMIT 1`,
    Math.floor(before),
  )
  return row && emailOf(row)
}

/** Everything that is kept, newest first. */
export function listEmails(sql: Sql): Email[] {
  return sql
    .all<EmailRow>(`SELECT * FROM email WHERE recipient <> '' ORDER BY id DESC LIMIT 200`)
    .map(emailOf)
}

export function markEmailSent(sql: WritableSql, id: number, now: number): void {
  sql.run(`UPDATE email SET sent_at = ? WHERE id = ?`, Math.floor(now), id)
}

export function deleteEmail(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM email WHERE id = ?`, id)
}

function emailOf(row: EmailRow): Email {
  return {
    id: row.id,
    recipient: row.recipient,
    subject: row.subject,
    body: row.body,
    html: row.html,
    headers: row.headers === null ? null : fromJson(row.headers),
    createdAt: row.created_at,
    sentAt: row.sent_at,
    attempts: row.attempts,
    firstTriedAt: row.first_tried_at,
  }
}
