import { ServiceUnavailableError } from '../../core/errors.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { MINUTE } from '../../core/time.ts'
import { Rows } from '../select-rows.ts'
import type { User } from '../users/user-rows.ts'

const EMAILS = new Rows<Email>(
  'email',
  'id recipient subject body html headers:json created_at sent_at attempts first_tried_at',
)

/** A mail that is pending for the mail service. The table `email` is owned by this file. */
export interface Email {
  readonly id: number
  readonly recipient: string
  readonly subject: string
  /** The mail as plain text. */
  readonly body: string
  /** The mail as HTML, if it has that too. */
  readonly html: string | null
  /** Headers besides those of every mail. */
  readonly headers: Readonly<Record<string, string>> | null
  /** UNIX seconds. */
  readonly createdAt: number
  /** Time at which the mail service accepted it; null until then. */
  readonly sentAt: number | null
  /** Number of tries. */
  readonly attempts: number
  /** UNIX seconds; null before. */
  readonly firstTriedAt: number | null
}

/** Recipient of mail that is written only so that an unknown address takes the same work as a known one. */
export const NOBODY = ''

/** Number of pending mails; further ones are refused, since nobody would get them in time. */
const MAX_WAITING = 2_000

/** Stores a sent mail for local development, which shows it. */
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
  const createdAt = Math.floor(writtenAt)
  const email = { recipient, subject, body, html, headers, createdAt, sentAt: sentAt && Math.floor(sentAt) }
  EMAILS.insert(sql, email, { due_at: createdAt })
}

/**
 * Refuses an operation while too much mail is pending for this number of further ones: for operations that must not reveal whether they
 * send any, in every case or in none.
 *
 * @throws ServiceUnavailableError
 */
export function requireRoomForEmail(sql: Sql, further = 1): void {
  if (!hasRoomForEmail(sql, further)) throw new ServiceUnavailableError(MINUTE)
}

/** Whether optional mail may be queued. Counts all that is pending. */
export function hasRoomForEmail(sql: Sql, further = 1): boolean {
  const waiting = sql.value(
    `SELECT (SELECT count(*) FROM email WHERE sent_at IS NULL AND attempts = 0)
       + (SELECT count(*) FROM email WHERE sent_at IS NULL AND attempts > 0) AS count`,
  )!
  return waiting + further <= MAX_WAITING
}

/**
 * Begins a mail: new ones first, then failed ones, each the longest due. Until it is finished it is due again
 * at `until`, in case the object dies meanwhile. Times in UNIX seconds.
 */
export function leaseEmail(sql: WritableSql, now: number, until: number): Email | undefined {
  return EMAILS.returned(
    sql,
    `UPDATE email SET due_at = ?2, attempts = attempts + 1, first_tried_at = coalesce(first_tried_at, ?1)
     WHERE id = coalesce(
       (SELECT id FROM email WHERE sent_at IS NULL AND attempts = 0 AND due_at <= ?1 ORDER BY due_at LIMIT 1),
       (SELECT id FROM email WHERE sent_at IS NULL AND attempts > 0 AND due_at <= ?1 ORDER BY due_at LIMIT 1)
     ) RETURNING ${EMAILS.columns}`,
    Math.floor(now),
    Math.ceil(until),
  )
}

export function retryEmailLater(sql: WritableSql, id: number, dueAt: number): void {
  sql.run(`UPDATE email SET due_at = ? WHERE id = ?`, Math.ceil(dueAt), id)
}

/** Returns the time at which the next mail is due (UNIX seconds); undefined without one. */
export function nextEmailAt(sql: Sql): number | undefined {
  const { fresh, retried } = sql.first<{ fresh: number | null; retried: number | null }>(
    `SELECT (SELECT MIN(due_at) FROM email WHERE sent_at IS NULL AND attempts = 0) AS fresh,
       (SELECT MIN(due_at) FROM email WHERE sent_at IS NULL AND attempts > 0) AS retried`,
  )!
  if (fresh === null || retried === null) return fresh ?? retried ?? undefined
  return Math.min(fresh, retried)
}

/** Returns the oldest pending mail that was written before a time. */
export function oldestWaitingEmail(sql: Sql, before: number): Email | undefined {
  return EMAILS.find(sql, `WHERE sent_at IS NULL AND created_at < ? ORDER BY id LIMIT 1`, Math.floor(before))
}

/** Lists all stored mail, newest first. */
export function listEmails(sql: Sql): Email[] {
  return EMAILS.list(sql, `WHERE recipient <> '' ORDER BY id DESC LIMIT 200`)
}

export function markEmailSent(sql: WritableSql, id: number, now: number): void {
  sql.run(`UPDATE email SET sent_at = ? WHERE id = ?`, Math.floor(now), id)
}

export function deleteEmail(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM email WHERE id = ?`, id)
}

/** Length of a reason, in UTF-16 units. */
const MAX_REASON_LENGTH = 300

/** An address that takes no mail. The table `paused_address` is owned by this file. */
export interface PausedAddress {
  readonly address: string
  /** UNIX seconds, integer. */
  readonly since: number
  /** The words of its mail server. */
  readonly reason: string
}

/** Finds whether the account's present address is paused; null if not. */
export function findPausedAddress(
  sql: Sql,
  { id, deliveryEmail }: Pick<User, 'id' | 'deliveryEmail'>,
): PausedAddress | null {
  return (
    sql.first<{ address: string; since: number; reason: string }>(
      `SELECT address, since, reason FROM paused_address WHERE user_id = ? AND address = ?`,
      id,
      deliveryEmail,
    ) ?? null
  )
}

export function isAddressPaused(sql: Sql, user: Pick<User, 'id' | 'deliveryEmail'>): boolean {
  return findPausedAddress(sql, user) !== null
}

export function putPausedAddress(
  sql: WritableSql,
  { id, deliveryEmail }: Pick<User, 'id' | 'deliveryEmail'>,
  { since, reason }: { since: number; reason: string },
): void {
  sql.run(
    `INSERT INTO paused_address (user_id, address, since, reason) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (user_id) DO UPDATE SET address = ?2, since = ?3, reason = ?4`,
    id,
    deliveryEmail,
    Math.floor(since),
    reason.slice(0, MAX_REASON_LENGTH),
  )
}

export function deletePausedAddress(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM paused_address WHERE user_id = ?`, userId)
}

/** Number of known programs of one account; a new one replaces the one that was used longest ago. */
const MAX_KNOWN = 50

/**
 * Records with which program someone logged in, in words: `Firefox Linux`. True when it is new to the account.
 * The table `known_program` is owned by this file.
 */
export function noteProgram(sql: WritableSql, userId: number, program: string, now: number): boolean {
  const known = sql.value(`SELECT at FROM known_program WHERE user_id = ? AND program = ?`, userId, program)
  if (known === undefined) {
    sql.run(
      `DELETE FROM known_program WHERE user_id = ?1 AND program IN (
         SELECT program FROM known_program WHERE user_id = ?1 ORDER BY at DESC, program LIMIT -1 OFFSET ?2)`,
      userId,
      MAX_KNOWN - 1,
    )
  }
  sql.run(
    `INSERT INTO known_program (user_id, program, at) VALUES (?1, ?2, ?3)
     ON CONFLICT (user_id, program) DO UPDATE SET at = ?3`,
    userId,
    program,
    Math.floor(now),
  )
  return known === undefined
}

/** Forgets the programs of an account. */
export function deleteKnownProgramsOf(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM known_program WHERE user_id = ?`, userId)
}
