import type { Sql, WritableSql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'

/**
 * Browsers in which people are logged in. Of a session's token only the digest is kept. The table `browser_session` is owned
 * by this file.
 */
export interface BrowserSession {
  readonly id: number
  readonly userId: number
  /** UNIX seconds. */
  readonly beganAt: number
  /** UNIX seconds, a day late at most. */
  readonly usedAt: number
  /** The User-Agent header of the log-in, cut. */
  readonly userAgent: string
}

/** A session that was not used for so long is over. Source: docs/interface/browsers.md#sessions. */
export const SESSION_IDLE_SECONDS = 14 * DAY
/** The seconds between two notes of when a session was used. */
const NOTED_EVERY_SECONDS = DAY
/** The sessions of one account; a new one takes the place of the one that was used longest ago. */
const SESSIONS_OF_ACCOUNT = 50
const LONGEST_USER_AGENT = 200

const COLUMNS = `id, user_id AS userId, began_at AS beganAt, used_at AS usedAt, user_agent AS userAgent`

export interface NewBrowserSession extends Pick<BrowserSession, 'userId' | 'userAgent'> {
  readonly digest: string
}

/** Answers its id. */
/** Takes the place of those that were used longest ago, where there are too many; answers whether there were. */
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
  { userId, digest, userAgent }: NewBrowserSession,
  now: number,
): number {
  const time = Math.floor(now)
  return sql.runForFirst<{ id: number }>(
    `INSERT INTO browser_session (user_id, digest, began_at, used_at, user_agent)
     VALUES (?1, ?2, ?3, ?3, ?4) RETURNING id`,
    userId,
    digest,
    time,
    userAgent.slice(0, LONGEST_USER_AGENT),
  )!.id
}

/** The session whose token has this digest, as long as it is good. */
export function findBrowserSession(sql: Sql, digest: string, now: number): BrowserSession | undefined {
  const session = sql.kept(`session ${digest}`, () => ({
    value: sql.first<BrowserSession>(`SELECT ${COLUMNS} FROM browser_session WHERE digest = ?`, digest),
    size: 500,
  }))
  return session && isGood(session, now) ? session : undefined
}

/** Notes that a good session was used, once a day. */
export function noteUseOfSession(sql: WritableSql, digest: string, now: number): void {
  const session = findBrowserSession(sql, digest, now)
  if (!session || now - session.usedAt < NOTED_EVERY_SECONDS) return
  sql.run(`UPDATE browser_session SET used_at = ? WHERE id = ?`, Math.floor(now), session.id)
}

/** A user's, newest first; not those that are over. */
export function listBrowserSessions(sql: Sql, userId: number, now: number): BrowserSession[] {
  return sql
    .all<BrowserSession>(
      `SELECT ${COLUMNS} FROM browser_session WHERE user_id = ? ORDER BY id DESC LIMIT ?`,
      userId,
      SESSIONS_OF_ACCOUNT,
    )
    .filter((session) => isGood(session, now))
}

/** Was one of the user's used at `since` (UNIX seconds) or later? */
export function wasBrowserUsedSince(sql: Sql, userId: number, since: number): boolean {
  return (
    sql.first(`SELECT 1 FROM browser_session WHERE user_id = ? AND used_at >= ? LIMIT 1`, userId, since) !==
    undefined
  )
}

/** Deletes a session of the user; false when the user has none of this id. */
export function deleteBrowserSession(sql: WritableSql, userId: number, id: number): boolean {
  const deleted = sql.runForFirst(
    `DELETE FROM browser_session WHERE id = ? AND user_id = ? RETURNING id`,
    id,
    userId,
  )
  return deleted !== undefined
}

/** Answers whose it was; undefined when there was none. */
export function deleteBrowserSessionWith(sql: WritableSql, digest: string): number | undefined {
  return sql.runForFirst<{ user_id: number }>(
    `DELETE FROM browser_session WHERE digest = ? RETURNING user_id`,
    digest,
  )?.user_id
}

/** All of the user's, or all but the one whose token has this digest. */
export function deleteBrowserSessionsOf(sql: WritableSql, userId: number, exceptDigest = ''): void {
  sql.run(`DELETE FROM browser_session WHERE user_id = ? AND digest <> ?`, userId, exceptDigest)
}

/** Deletes sessions that are over, `limit` at most, of all users; returns whose each was. */
export function deleteEndedBrowserSessions(sql: WritableSql, now: number, limit: number): number[] {
  return sql
    .runForAll<{ user_id: number }>(
      `DELETE FROM browser_session WHERE id IN (SELECT id FROM browser_session WHERE used_at <= ? LIMIT ?)
       RETURNING user_id`,
      Math.floor(now) - SESSION_IDLE_SECONDS,
      limit,
    )
    .map(({ user_id }) => user_id)
}

/** The time at which the session was used that was used longest ago; undefined when there is none. */
export function longestUnusedSince(sql: Sql): number | undefined {
  return sql.first<{ used_at: number }>(`SELECT used_at FROM browser_session ORDER BY used_at LIMIT 1`)
    ?.used_at
}

function isGood({ usedAt }: BrowserSession, now: number): boolean {
  return now - usedAt < SESSION_IDLE_SECONDS
}
