import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { markMessagesStale, markShownStale } from '../../store/push/shown-push-rows.ts'
import { DELIVER_PUSHES } from './enqueue-pushes.ts'
import { listeners } from './push-listeners.ts'

/**
 * Schedules the removal of notifications that a user's devices show of messages that the user has read. Source:
 * docs/interface/reading.md#change-flags.
 */
export function lookAgainAtPushesOf(tx: RealmTransaction, userId: number): void {
  if (!listeners(tx).has(userId)) return
  if (markShownStale(tx.sql, userId)) schedule(tx)
}

/**
 * Schedules a check of notifications after messages were deleted, moved or edited, which some of the notified
 * users may no longer read.
 */
export function lookAgainAtPushes(tx: RealmTransaction, messageIds: readonly number[]): void {
  if (listeners(tx).size === 0) return
  if (markMessagesStale(tx.sql, messageIds)) schedule(tx)
}

function schedule(tx: RealmTransaction): void {
  tx.schedule({ kind: DELIVER_PUSHES, key: '', dueAt: tx.now })
}
