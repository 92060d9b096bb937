import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { deleteScheduledMessageRow, type ScheduledMessage } from '../../store/unsent/unsent-rows.ts'
import { claimForScheduled } from '../uploads/claim-attachments.ts'
import { cancelDelivery, emitScheduledRemove } from './emit-scheduled.ts'

/** Deletes a scheduled message, which is then not sent, and notifies its author. */
export function cancelScheduledMessage(tx: RealmTransaction, message: ScheduledMessage): void {
  deleteScheduledMessageRow(tx.sql, message.id)
  cancelDelivery(tx, message.id)
  claimForScheduled(tx, message.id, [])
  emitScheduledRemove(tx, message)
}
