import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DELIVER_PUSHES } from './enqueue-pushes.ts'
import { PUSH_LISTENERS } from './push-listeners.ts'
import { markMessagesStale, markShownStale } from './shown-push-rows.ts'

/**
 * A user has read something: what it was goes from the user's devices, if it is shown there.
 * Source: docs/interface/reading.md#change-flags.
 */
export function lookAgainAtPushesOf(tx: RealmTransaction, userId: number): void {
  if (!tx.recall(PUSH_LISTENERS).has(userId)) return
  if (markShownStale(tx.sql, userId)) schedule(tx)
}

/** Messages have been deleted, moved or edited: some may no longer be for those who were notified of them. */
export function lookAgainAtPushes(tx: RealmTransaction, messageIds: readonly number[]): void {
  if (tx.recall(PUSH_LISTENERS).size === 0) return
  if (markMessagesStale(tx.sql, messageIds)) schedule(tx)
}

function schedule(tx: RealmTransaction): void {
  tx.schedule({ kind: DELIVER_PUSHES, key: '', dueAt: tx.now })
}
