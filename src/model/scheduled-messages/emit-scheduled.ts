import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredScheduledMessagesEvent } from '../../events/scheduled-messages.ts'
import {
  findScheduledMessage,
  type ScheduledMessage,
} from '../../store/scheduled-messages/scheduled-message-rows.ts'
import { presentScheduledMessage } from './present-scheduled-message.ts'

export function emitScheduledAdd(tx: RealmTransaction, message: ScheduledMessage): void {
  const event: StoredScheduledMessagesEvent = {
    type: 'scheduled_messages',
    op: 'add',
    scheduled_messages: [presentScheduledMessage(tx, message)],
  }
  tx.emit(event, toUsers(message.userId))
}

/** Emits the present message. */
export function emitScheduledUpdate(tx: RealmTransaction, id: number): void {
  const message = findScheduledMessage(tx.sql, id)!
  const event: StoredScheduledMessagesEvent = {
    type: 'scheduled_messages',
    op: 'update',
    scheduled_message: presentScheduledMessage(tx, message),
  }
  tx.emit(event, toUsers(message.userId))
}

export function emitScheduledRemove(tx: RealmTransaction, { id, userId }: ScheduledMessage): void {
  const event: StoredScheduledMessagesEvent = {
    type: 'scheduled_messages',
    op: 'remove',
    scheduled_message_id: id,
  }
  tx.emit(event, toUsers(userId))
}
