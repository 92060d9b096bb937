import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { NotFoundError } from '../../core/errors.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { cancelDelivery, emitScheduledRemove } from '../../model/scheduled-messages/emit-scheduled.ts'
import { claimForScheduled } from '../../model/uploads/claim-attachments.ts'
import {
  deleteScheduledMessageRow,
  findScheduledMessage,
  type ScheduledMessage,
} from '../../store/scheduled-messages/scheduled-message-rows.ts'

/** Deletes a scheduled message. Source: docs/interface/personal.md#scheduled-messages. */
export const deleteScheduledMessageEndpoint = defineEndpoint({
  operation: 'delete-scheduled-message',
  method: 'DELETE',
  path: '/scheduled_messages/:scheduled_message_id',
  access: 'user',
  params: { scheduled_message_id: pathInteger },
  returns: v.object({}),
  command: { apply: deleteScheduledMessage },
  audit: 'own',
})

/**
 * Deletes a scheduled message. One that was sent may be deleted too: a client may not know of it yet. Source:
 * docs/interface/personal.md#scheduled-messages.
 */
function deleteScheduledMessage(
  tx: RealmTransaction,
  caller: Caller,
  { scheduled_message_id }: { readonly scheduled_message_id: number },
): object {
  const message = requireOwnScheduledMessage(tx, caller, scheduled_message_id)
  deleteScheduledMessageRow(tx.sql, message.id)
  cancelDelivery(tx, message.id)
  claimForScheduled(tx, message.id, [])
  emitScheduledRemove(tx, message)
  return {}
}

/** @throws NotFoundError also for another user's. */
export function requireOwnScheduledMessage(
  { sql }: Pick<RealmView, 'sql'>,
  { user }: Caller,
  id: number,
): ScheduledMessage {
  const message = findScheduledMessage(sql, id)
  if (message?.userId !== user.id) throw noSuchScheduledMessage()
  return message
}

function noSuchScheduledMessage(): NotFoundError {
  return new NotFoundError('Scheduled message does not exist')
}
