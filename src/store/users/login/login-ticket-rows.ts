import { fromJson, type JsonText, jsonText } from '../../../core/json.ts'
import type { Sql, WritableSql } from '../../../core/sql.ts'
import { MINUTE } from '../../../core/time.ts'
import type { LoginProof } from './login-proof.ts'

/**
 * A log-in under way, which the holder of the token ends: in the desktop app, or with the second factor. Only the digest of the
 * token is stored. The table `login_ticket` is owned by this file.
 */
export interface LoginTicket {
  readonly userId: number
  readonly proof: LoginProof
  /** How often it was tried in vain. */
  readonly tries: number
  /** The sealed secret of the authenticator app that is set up with it; null before that was begun. */
  readonly totpSecret: string | null
}

export type LoginTicketKind = 'desktop' | 'second factor'

const GOOD_FOR_SECONDS = 5 * MINUTE
/** Number of tickets of an account; a new one takes the place of the oldest. */
const TICKETS_OF_ACCOUNT = 10
/** Tickets of any account that one new ticket clears away once they are over. */
const SWEPT = 20

/** Inserts a ticket, and clears away those that are over. */
export function insertLoginTicket(
  sql: WritableSql,
  ticket: {
    readonly digest: string
    readonly kind: LoginTicketKind
    readonly userId: number
    readonly proof: LoginProof
  },
  now: number,
): void {
  sql.run(
    `DELETE FROM login_ticket WHERE digest IN (
       SELECT digest FROM login_ticket WHERE use_before <= ? ORDER BY use_before LIMIT ?)`,
    Math.floor(now),
    SWEPT,
  )
  sql.run(
    `DELETE FROM login_ticket WHERE digest IN (
       SELECT digest FROM login_ticket WHERE user_id = ? ORDER BY use_before DESC LIMIT -1 OFFSET ?)`,
    ticket.userId,
    TICKETS_OF_ACCOUNT - 1,
  )
  sql.run(
    `INSERT INTO login_ticket (digest, kind, user_id, proof, use_before) VALUES (?, ?, ?, ?, ?)`,
    ticket.digest,
    ticket.kind,
    ticket.userId,
    jsonText(ticket.proof),
    Math.floor(now) + GOOD_FOR_SECONDS,
  )
}

/** Returns the ticket; undefined when there is none of this kind, or it is over. */
export function findLoginTicket(
  sql: Sql,
  kind: LoginTicketKind,
  digest: string,
  now: number,
): LoginTicket | undefined {
  const row = sql.first<{
    user_id: number
    proof: JsonText<LoginProof>
    tries: number
    totp_secret: string | null
  }>(
    `SELECT user_id, proof, tries, totp_secret FROM login_ticket WHERE digest = ? AND kind = ? AND use_before > ?`,
    digest,
    kind,
    Math.floor(now),
  )
  return (
    row && {
      userId: row.user_id,
      proof: fromJson(row.proof),
      tries: row.tries,
      totpSecret: row.totp_secret,
    }
  )
}

/** Counts a try of a ticket. */
export function countTicketTry(sql: WritableSql, digest: string): void {
  sql.run(`UPDATE login_ticket SET tries = tries + 1 WHERE digest = ?`, digest)
}

/** Notes with which secret an app is set up. */
export function putTotpSecret(sql: WritableSql, digest: string, secret: string): void {
  sql.run(`UPDATE login_ticket SET totp_secret = ? WHERE digest = ?`, secret, digest)
}

/** Deletes a ticket, which was used. */
export function deleteLoginTicket(sql: WritableSql, digest: string): void {
  sql.run(`DELETE FROM login_ticket WHERE digest = ?`, digest)
}

/** Deletes what was begun in one of a provider's sessions, at most `limit`; returns whose each was. */
export function deleteLoginTicketsAt(
  sql: WritableSql,
  { providerId, sid }: { readonly providerId: number; readonly sid: string },
  limit: number,
): number[] {
  return sql
    .runForAll<{ user_id: number }>(
      `DELETE FROM login_ticket WHERE digest IN (
         SELECT digest FROM login_ticket WHERE proof ->> '$.provider.id' = ? AND proof ->> '$.provider.sid' = ? LIMIT ?)
       RETURNING user_id`,
      providerId,
      sid,
      limit,
    )
    .map(({ user_id }) => user_id)
}

/** Deletes what an account has begun: its password is another one now, or it is closed. */
export function deleteLoginTicketsOf(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM login_ticket WHERE user_id = ?`, userId)
}
