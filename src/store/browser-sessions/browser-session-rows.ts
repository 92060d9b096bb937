import type { Sql, WritableSql } from '../../core/sql.ts'
import { DAY, MINUTE } from '../../core/time.ts'
import { Rows } from '../select-rows.ts'
import type { LoginMethod, LoginProof } from '../users/login/login-ticket-rows.ts'

/**
 * A browser in which a user is logged in. Only the digest of a session's token is stored. The table
 * `browser_session` is owned by this file.
 */
export interface BrowserSession {
  readonly id: number
  readonly userId: number
  /** UNIX seconds. */
  readonly beganAt: number
  /** UNIX seconds, at most a day late. */
  readonly usedAt: number
  /** The User-Agent header of the login, cut. */
  readonly userAgent: string
  readonly method: LoginMethod
  /** UNIX seconds: when the owner last proved who it is. */
  readonly provedAt: number
}

/** Seconds without use after which a session is over. Source: docs/interface/browsers.md#sessions. */
export const SESSION_IDLE_SECONDS = 14 * DAY
/** Seconds for which a proof of who is at the browser is good enough. */
const PROVEN_SECONDS = 15 * MINUTE
/** Seconds between two updates of the time at which a session was used. */
const UPDATED_EVERY_SECONDS = DAY
/** Number of sessions of one account; a new one replaces the one that was used longest ago. */
const SESSIONS_OF_ACCOUNT = 50
const MAX_USER_AGENT_LENGTH = 200

const SESSIONS = new Rows<BrowserSession>(
  'browser_session',
  'id user_id began_at used_at user_agent method proved_at',
)

export interface NewBrowserSession extends Pick<BrowserSession, 'userId' | 'userAgent'> {
  readonly digest: string
  readonly proof: LoginProof
}

/** Deletes the sessions that were used longest ago, if there are too many; returns whether there were. */
export function makeRoomForBrowserSession(sql: WritableSql, userId: number): boolean {
  const displaced = sql.runForAll(
    `DELETE FROM browser_session WHERE id IN (
       SELECT id FROM browser_session WHERE user_id = ? ORDER BY used_at DESC, id DESC LIMIT -1 OFFSET ?)
     RETURNING id`,
    userId,
    SESSIONS_OF_ACCOUNT - 1,
  )
  return displaced.length > 0
}

export function insertBrowserSession(
  sql: WritableSql,
  { userId, digest, userAgent, proof }: NewBrowserSession,
  now: number,
): number {
  const time = Math.floor(now)
  return sql.runForValue(
    `INSERT INTO browser_session
       (user_id, digest, began_at, used_at, user_agent, method, provider_id, provider_sid, proved_at)
     VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING id`,
    userId,
    digest,
    time,
    userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    proof.method,
    proof.provider?.id ?? null,
    proof.provider?.sid ?? null,
    Math.min(time, proof.provedAt ?? time),
  )!
}

/** Finds the session whose token has this digest, while it is valid. */
export function findBrowserSession(sql: Sql, digest: string, now: number): BrowserSession | undefined {
  const session = sql.kept(`session ${digest}`, () => SESSIONS.find(sql, `WHERE digest = ?`, digest))
  return session && isGood(session, now) ? session : undefined
}

export function findBrowserSessionById(
  sql: Sql,
  id: number,
  now: number,
): Pick<NewBrowserSession, 'userId' | 'digest'> | undefined {
  const session = sql.first<Pick<BrowserSession, 'userId' | 'usedAt'> & { digest: string }>(
    `SELECT user_id AS userId, used_at AS usedAt, digest FROM browser_session WHERE id = ?`,
    id,
  )
  return session && isGood(session, now) ? session : undefined
}

/** Returns until when the browser need not prove again who is there (UNIX seconds); undefined when it must. */
export function provenUntil(sql: Sql, digest: string, now: number): number | undefined {
  const session = findBrowserSession(sql, digest, now)
  const until = session && session.provedAt + PROVEN_SECONDS
  return until !== undefined && now < until ? until : undefined
}

/** Records that the user of this browser has proved their identity. */
export function noteProof(sql: WritableSql, digest: string, now: number): void {
  sql.run(`UPDATE browser_session SET proved_at = ? WHERE digest = ?`, Math.floor(now), digest)
}

/** Notes that a browser which began its session at a provider is in another session there now, so that the provider's log-out still ends it. */
export function noteSessionAt(
  sql: WritableSql,
  digest: string,
  { providerId, sid }: { readonly providerId: number; readonly sid: string },
): void {
  sql.run(
    `UPDATE browser_session SET provider_sid = ? WHERE digest = ? AND provider_id = ?`,
    sid,
    digest,
    providerId,
  )
}

/** Updates, once a day, the time at which a valid session was used. */
export function noteUseOfSession(sql: WritableSql, digest: string, now: number): void {
  const session = findBrowserSession(sql, digest, now)
  if (!session || now - session.usedAt < UPDATED_EVERY_SECONDS) return
  sql.run(`UPDATE browser_session SET used_at = ? WHERE id = ?`, Math.floor(now), session.id)
}

/** Lists a user's valid sessions, newest first. */
export function listBrowserSessions(sql: Sql, userId: number, now: number): BrowserSession[] {
  return SESSIONS.list(sql, `WHERE user_id = ? ORDER BY id DESC LIMIT ?`, userId, SESSIONS_OF_ACCOUNT).filter(
    (session) => isGood(session, now),
  )
}

/** Whether one of the user's sessions was used at `since` (UNIX seconds) or later. */
export function wasBrowserUsedSince(sql: Sql, userId: number, since: number): boolean {
  return sql.finds(`SELECT 1 FROM browser_session WHERE user_id = ? AND used_at >= ? LIMIT 1`, userId, since)
}

/** Whether the user has a session that began with this proof. */
export function hasSessionBy(sql: Sql, userId: number, method: LoginMethod): boolean {
  return sql.finds(`SELECT 1 FROM browser_session WHERE user_id = ? AND method = ? LIMIT 1`, userId, method)
}

/** Deletes a session of the user; false when the user has none with this id. */
export function deleteBrowserSession(sql: WritableSql, userId: number, id: number): boolean {
  return sql.runForAny(`DELETE FROM browser_session WHERE id = ? AND user_id = ? RETURNING id`, id, userId)
}

/** Deletes a session and returns whose it was, and the provider of log-ins at which it began; undefined without one. */
export function deleteBrowserSessionWith(
  sql: WritableSql,
  digest: string,
): { readonly userId: number; readonly providerId: number | null } | undefined {
  return sql.runForAll<{ userId: number; providerId: number | null }>(
    `DELETE FROM browser_session WHERE digest = ? RETURNING user_id AS userId, provider_id AS providerId`,
    digest,
  )[0]
}

/** Deletes all sessions of the user, or all but the one whose token has this digest. */
export function deleteBrowserSessionsOf(sql: WritableSql, userId: number, exceptDigest = ''): void {
  sql.run(`DELETE FROM browser_session WHERE user_id = ? AND digest <> ?`, userId, exceptDigest)
}

/** Deletes sessions that were begun in one of a provider's sessions, at most `limit`; returns whose each was. */
export function deleteBrowserSessionsAt(
  sql: WritableSql,
  { providerId, sid }: { readonly providerId: number; readonly sid: string },
  limit: number,
): number[] {
  return sql.runForValues(
    `DELETE FROM browser_session WHERE id IN (
         SELECT id FROM browser_session WHERE provider_id = ? AND provider_sid = ? LIMIT ?)
       RETURNING user_id`,
    providerId,
    sid,
    limit,
  )
}

/** Deletes sessions that are over, at most `limit`, of all users; returns whose each was. */
export function deleteEndedBrowserSessions(sql: WritableSql, now: number, limit: number): number[] {
  return sql.runForValues(
    `DELETE FROM browser_session WHERE id IN (SELECT id FROM browser_session WHERE used_at <= ? LIMIT ?)
       RETURNING user_id`,
    Math.floor(now) - SESSION_IDLE_SECONDS,
    limit,
  )
}

/** Returns the time of the session's use that was longest ago; undefined without sessions. */
export function longestUnusedSince(sql: Sql): number | undefined {
  return sql.value(`SELECT used_at FROM browser_session ORDER BY used_at LIMIT 1`)
}

function isGood({ usedAt }: Pick<BrowserSession, 'usedAt'>, now: number): boolean {
  return now - usedAt < SESSION_IDLE_SECONDS
}
