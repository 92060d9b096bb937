import { ENTRIES_AT_ONCE } from '../../../core/budgets.ts'
import type { RequestSource } from '../../../core/call.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { HOUR } from '../../../core/time.ts'
import { deleteQueuesOf, listQueuesOfUser } from '../../../events/queue.ts'
import {
  deleteBrowserSessionsOf,
  deleteBrowserSessionWith,
  deleteEndedBrowserSessions,
  insertBrowserSession,
  longestUnusedSince,
  makeRoomForBrowserSession,
  type NewBrowserSession,
  SESSION_IDLE_SECONDS,
} from '../../../store/browser-sessions/browser-session-rows.ts'
import { deleteLoginTicketsOf } from '../../../store/users/login/login-ticket-rows.ts'
import { dropAllDevices } from '../../push/prune-devices.ts'

/** Ends the polls of an account whose key is no longer valid, without an event. The queues stay for clients with the new key. */
export function endPolls(tx: RealmTransaction, userId: number): void {
  for (const { id } of listQueuesOfUser(tx.sql, userId)) tx.endPoll(id)
}

/** Ends the queues of accounts and the polls on them. */
export function endQueues(tx: RealmTransaction, userIds: readonly number[]): void {
  for (const queueId of deleteQueuesOf(tx.sql, userIds)) tx.endPoll(queueId)
}

/** Logs the account out in all browsers but the one whose token has this digest, and cancels unfinished log-ins. */
export function endBrowsers(tx: RealmTransaction, userId: number, exceptDigest?: string): void {
  deleteBrowserSessionsOf(tx.sql, userId, exceptDigest)
  deleteLoginTicketsOf(tx.sql, userId)
}

/** Ends all sessions and all registrations for notifications. The owner's devices register again when they log in. */
export function endSessions(tx: RealmTransaction, userId: number): void {
  endQueues(tx, [userId])
  endBrowsers(tx, userId)
  dropAllDevices(tx, userId)
}

/** Ends the session whose token has this digest, if there is one. Returns the provider at which it began; null if at none. */
export function endBrowserSession(tx: RealmTransaction, digest: string): number | null {
  const ended = deleteBrowserSessionWith(tx.sql, digest)
  // It is unknown which poll belongs to which session, so all of them reconnect.
  if (ended) endPolls(tx, ended.userId)
  return ended?.providerId ?? null
}

/** Minimum time between two runs, so that an organization does not wake for each browser separately. */
const APART_SECONDS = HOUR

/** Enters a session, which ends after SESSION_IDLE_SECONDS without use, in place of the one that the browser had. */
export function addBrowserSession(
  tx: RealmTransaction,
  { userAgent, formerSession }: RequestSource,
  session: Omit<NewBrowserSession, 'userAgent'>,
): void {
  if (formerSession !== undefined) endBrowserSession(tx, formerSession)
  if (makeRoomForBrowserSession(tx.sql, session.userId)) endPolls(tx, session.userId)
  insertBrowserSession(tx.sql, { ...session, userAgent }, tx.now)
  tx.schedule({ kind: 'forget-browser-sessions', key: '', dueAt: tx.now + SESSION_IDLE_SECONDS })
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
