import { toUsers } from '../../core/audience.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredScheduledMessagesEvent } from '../../events/unsent.ts'
import { findScheduledMessage, type ScheduledMessage } from '../../store/unsent/unsent-rows.ts'
import { presentScheduledMessage } from '../unsent/present-unsent.ts'

export function emitScheduledAdd(tx: RealmTransaction, message: ScheduledMessage): void {
  const event: StoredScheduledMessagesEvent = {
    type: 'scheduled_messages',
    op: 'add',
    scheduled_messages: [presentScheduledMessage(tx, message)],
  }
  tx.emit(event, toUsers(message.userId))
}

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

/** Schedules the delivery, in place of one at another time. */
export function scheduleDelivery(tx: RealmTransaction, id: number, dueAt: number): void {
  cancelDelivery(tx, id)
  tx.schedule({ kind: 'deliver-scheduled-message', key: String(id), dueAt })
}

export function cancelDelivery(tx: RealmTransaction, id: number): void {
  tx.unschedule({ kind: 'deliver-scheduled-message', key: String(id) })
}

/** Requires that a time is in the future (UNIX seconds). */
export function requireFuture(dueAt: number, now: number): void {
  if (dueAt <= now) throw new BadRequestError('Scheduled delivery time must be in the future.')
}
