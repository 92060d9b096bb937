import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { deleteQueuesOfUser, deleteQueuesOfUsers, listQueuesOfUser } from '../../../events/queue.ts'
import { deleteBrowserSessionsOf } from '../../../store/browser-sessions/browser-session-rows.ts'
import { deleteLoginTicketsOf } from '../../../store/users/login/login-ticket-rows.ts'
import { dropAllDevices } from '../../push/settle-devices.ts'

/**
 * Ends the polls of an account whose key is no longer valid: waiting clients get no event, and their next
 * call is refused. The queues stay for clients with the new key.
 */
export function endPolls(tx: RealmTransaction, userId: number): void {
  for (const { id } of listQueuesOfUser(tx.sql, userId)) tx.endPoll(id)
}

/** Ends the account's queues and the polls on them. */
export function endQueues(tx: RealmTransaction, userId: number): void {
  for (const queueId of deleteQueuesOfUser(tx.sql, userId)) tx.endPoll(queueId)
}

/** Ends the queues of several accounts and the polls on them. */
export function endQueuesOf(tx: RealmTransaction, userIds: readonly number[]): void {
  if (userIds.length === 0) return
  for (const queueId of deleteQueuesOfUsers(tx.sql, userIds)) tx.endPoll(queueId)
}

/** Logs the account out in all browsers, or in all but the one whose token has this digest; nor can a log-in that was begun be ended. */
export function endBrowsers(tx: RealmTransaction, userId: number, exceptDigest?: string): void {
  deleteBrowserSessionsOf(tx.sql, userId, exceptDigest)
  deleteLoginTicketsOf(tx.sql, userId)
}

/**
 * Ends everything that is logged in to an account, including devices that get notifications, which an intruder may
 * have registered with the old key or password. The owner's devices register again when they log in.
 */
export function endSessions(tx: RealmTransaction, userId: number): void {
  endQueues(tx, userId)
  endBrowsers(tx, userId)
  dropAllDevices(tx, userId)
}
