import type { RealmReads } from '../../core/realm-transaction.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import type { Position } from '../../store/subscriptions/subscription-rows.ts'

/**
 * Returns the position at which a present period begins or ends: after what has been emitted and sent so far.
 */
export function presentPosition(tx: RealmReads): Position {
  return { event: tx.lastEventId(), message: newestMessageId(tx.sql) }
}
