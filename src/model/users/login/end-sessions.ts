import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { deleteQueuesOfUser, deleteQueuesOfUsers, listQueuesOfUser } from '../../../events/queue.ts'
import { deleteBrowserSessionsOf } from '../../../store/browser-sessions/browser-session-rows.ts'
import { deleteLoginTicketsOf } from '../../../store/users/login/login-ticket-rows.ts'
import { dropAllDevices } from '../../push/settle-devices.ts'

/** Ends the polls of an account whose key is no longer valid, without an event. The queues stay for clients with the new key. */
export function endPolls(tx: RealmTransaction, userId: number): void {
  for (const { id } of listQueuesOfUser(tx.sql, userId)) tx.endPoll(id)
}

export function endQueues(tx: RealmTransaction, userId: number): void {
  for (const queueId of deleteQueuesOfUser(tx.sql, userId)) tx.endPoll(queueId)
}

/** Ends the queues of several accounts and the polls on them. */
export function endQueuesOf(tx: RealmTransaction, userIds: readonly number[]): void {
  if (userIds.length === 0) return
  for (const queueId of deleteQueuesOfUsers(tx.sql, userIds)) tx.endPoll(queueId)
}

/** Logs the account out in all browsers but the one whose token has this digest, and cancels unfinished log-ins. */
export function endBrowsers(tx: RealmTransaction, userId: number, exceptDigest?: string): void {
  deleteBrowserSessionsOf(tx.sql, userId, exceptDigest)
  deleteLoginTicketsOf(tx.sql, userId)
}

/** Ends all sessions and all registrations for notifications. The owner's devices register again when they log in. */
export function endSessions(tx: RealmTransaction, userId: number): void {
  endQueues(tx, userId)
  endBrowsers(tx, userId)
  dropAllDevices(tx, userId)
}
