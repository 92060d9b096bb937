import { jsonText } from '../../../core/json.ts'
import type { Sql, WritableSql } from '../../../core/sql.ts'
import { MINUTE } from '../../../core/time.ts'
import { Rows } from '../../select-rows.ts'

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

const TICKETS = new Rows<LoginTicket>('login_ticket', 'user_id proof:json tries totp_secret')

/** Returns the ticket; undefined when there is none of this kind, or it is over. */
export function findLoginTicket(
  sql: Sql,
  kind: LoginTicketKind,
  digest: string,
  now: number,
): LoginTicket | undefined {
  return TICKETS.find(sql, `WHERE digest = ? AND kind = ? AND use_before > ?`, digest, kind, Math.floor(now))
}

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

/** Deletes tickets that were begun in one of a provider's sessions, at most `limit`; returns their users. */
export function deleteLoginTicketsAt(
  sql: WritableSql,
  { providerId, sid }: { readonly providerId: number; readonly sid: string },
  limit: number,
): number[] {
  return sql.runForValues(
    `DELETE FROM login_ticket WHERE digest IN (
         SELECT digest FROM login_ticket WHERE proof ->> '$.provider.id' = ? AND proof ->> '$.provider.sid' = ? LIMIT ?)
       RETURNING user_id`,
    providerId,
    sid,
    limit,
  )
}

/** Deletes an account's tickets, since its password has changed or it is closed. */
export function deleteLoginTicketsOf(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM login_ticket WHERE user_id = ?`, userId)
}

/** The ways to prove an identity. */
export type LoginMethod =
  | 'password'
  /** A password, then a code of the second factor. */
  | 'password+code'
  | 'password+passkey'
  | 'passkey'
  /** A provider of log-ins, which the organization has chosen (OpenID Connect, GitHub). */
  | 'provider'
  /** Cloudflare Access, in front of the server, has let them through. */
  | 'access'
  /** A token that another system of the organization has signed. */
  | 'jwt'
  /** A link for an owner, made with the deployment's credentials. */
  | 'owner link'
  /** A click, on a server for development. */
  | 'development'

export interface LoginProof {
  readonly method: LoginMethod
  /** With `provider`: which one, and its own name of the session (`sid`), by which it may end it. */
  readonly provider?: { readonly id: number; readonly sid: string | null }
  /** UNIX seconds: when the person has proved who they are, if that was before this log-in; 0 where nobody knows. */
  readonly provedAt?: number | undefined
  /**
   * The address that the person has entered with the password, or that the provider to which they are connected says is theirs: if it is the
   * account's, they have confirmed it.
   */
  readonly address?: string | undefined
}

/**
 * The end of a log-in: in the browser itself, in an app that gets the key, or in the desktop app, which makes a session of its own with the
 * token that has this digest.
 */
export type LoginEnd =
  | { readonly kind: 'session'; readonly digest: string }
  | { readonly kind: 'app' }
  | { readonly kind: 'desktop'; readonly digest: string }

/** The result of a log-in. With `second factor` nobody is let in yet: the ticket is redeemed with the second factor. */
export type FinishedLogin =
  | { readonly kind: 'session' | 'desktop'; readonly user_id: number }
  | { readonly kind: 'app'; readonly api_key: string; readonly email: string; readonly user_id: number }
  | { readonly kind: 'second factor'; readonly user_id: number; readonly ticket: string }

/** A key that replaces its account's key when it is used. The table `pending_api_key` is owned by this file. */
export interface PendingApiKey {
  readonly apiKey: string
  /** UNIX seconds, from which on it is invalid. */
  readonly useBefore: number
}

const PENDING_KEYS = new Rows<PendingApiKey>('pending_api_key', 'api_key use_before')

export function findPendingApiKey(sql: Sql, userId: number, now: number): PendingApiKey | undefined {
  return PENDING_KEYS.find(sql, `WHERE user_id = ? AND use_before > ?`, userId, now)
}

export function deletePendingApiKey(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM pending_api_key WHERE user_id = ?`, userId)
}

/** Stores a pending key, replacing the account's earlier one. */
export function putPendingApiKey(sql: WritableSql, userId: number, key: PendingApiKey): void {
  PENDING_KEYS.replace(sql, key, { user_id: userId })
}
