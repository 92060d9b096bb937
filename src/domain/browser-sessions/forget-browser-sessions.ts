import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { HOUR } from '../../core/time.ts'
import { endPolls } from '../users/login/end-sessions.ts'
import {
  deleteEndedBrowserSessions,
  insertBrowserSession,
  longestUnusedSince,
  makeRoomForBrowserSession,
  type NewBrowserSession,
  SESSION_IDLE_SECONDS,
} from './browser-session-rows.ts'

/** The job that deletes sessions which are over. They open nothing any more; what is left says who was where, and when. */
export const FORGET_BROWSER_SESSIONS = 'forget-browser-sessions'

const DELETED_AT_ONCE = 1_000
/** Between two runs, so that an organization does not wake for each browser by itself. */
const APART_SECONDS = HOUR

/** A browser is logged in from now on, until it was not used for so long. */
export function enterBrowserSession(tx: RealmTransaction, session: NewBrowserSession): void {
  if (makeRoomForBrowserSession(tx.sql, session.userId)) endPolls(tx, session.userId)
  insertBrowserSession(tx.sql, session, tx.now)
  tx.schedule({ kind: FORGET_BROWSER_SESSIONS, key: '', dueAt: tx.now + SESSION_IDLE_SECONDS })
}

/** Answers when the next one will be over (UNIX seconds). */
export function forgetBrowserSessions(tx: RealmTransaction): number | undefined {
  const ended = deleteEndedBrowserSessions(tx.sql, tx.now, DELETED_AT_ONCE)
  // A stream asks for nothing more: it would go on for as long as the browser is open.
  for (const userId of new Set(ended)) endPolls(tx, userId)
  if (ended.length === DELETED_AT_ONCE) return tx.now + 1
  const since = longestUnusedSince(tx.sql)
  return since === undefined ? undefined : Math.max(since + SESSION_IDLE_SECONDS, tx.now + APART_SECONDS)
}
