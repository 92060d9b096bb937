import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { HOUR } from '../../core/time.ts'
import {
  deleteEndedBrowserSessions,
  insertBrowserSession,
  longestUnusedSince,
  makeRoomForBrowserSession,
  type NewBrowserSession,
  SESSION_IDLE_SECONDS,
} from '../../store/browser-sessions/browser-session-rows.ts'
import { endPolls } from '../users/login/end-sessions.ts'

/** The job that deletes ended sessions, which would still show who was where, and when. */
export const FORGET_BROWSER_SESSIONS = 'forget-browser-sessions'

/** Minimum time between two runs, so that an organization does not wake for each browser separately. */
const APART_SECONDS = HOUR

/** Enters a session, which ends after SESSION_IDLE_SECONDS without use. */
export function enterBrowserSession(tx: RealmTransaction, session: NewBrowserSession): void {
  if (makeRoomForBrowserSession(tx.sql, session.userId)) endPolls(tx, session.userId)
  insertBrowserSession(tx.sql, session, tx.now)
  tx.schedule({ kind: FORGET_BROWSER_SESSIONS, key: '', dueAt: tx.now + SESSION_IDLE_SECONDS })
}

/** Deletes ended sessions, and returns when the next one ends (UNIX seconds). */
export function forgetBrowserSessions(tx: RealmTransaction): number | undefined {
  const ended = deleteEndedBrowserSessions(tx.sql, tx.now, ENTRIES_AT_ONCE)
  // A stream makes no further request: it would last for as long as the browser is open.
  for (const userId of new Set(ended)) endPolls(tx, userId)
  if (ended.length === ENTRIES_AT_ONCE) return tx.now + 1
  const since = longestUnusedSince(tx.sql)
  return since === undefined ? undefined : Math.max(since + SESSION_IDLE_SECONDS, tx.now + APART_SECONDS)
}
