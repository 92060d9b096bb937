import * as v from 'valibot'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../domain/caller.ts'
import { presentScheduledMessage } from '../../domain/scheduled-messages/present-scheduled-message.ts'
import { listScheduledMessagesOf } from '../../domain/scheduled-messages/scheduled-message-rows.ts'
import { type PresentedScheduledMessage, scheduledMessageEntries } from '../../events/scheduled-messages.ts'
import { defineEndpoint } from '../define-endpoint.ts'

/**
 * Lists the caller's unsent messages, failed ones included, by time. Source:
 * docs/interface/personal.md#scheduled-messages.
 */
export const listScheduledMessagesEndpoint = defineEndpoint({
  operation: 'list-scheduled-messages',
  method: 'GET',
  path: '/scheduled_messages',
  access: 'user',
  params: {},
  returns: v.object({ scheduled_messages: v.array(v.object(scheduledMessageEntries)) }),
  command: { reads: true, apply: listScheduledMessages },
})

function listScheduledMessages(
  tx: RealmReads,
  { user }: Caller,
): { scheduled_messages: PresentedScheduledMessage[] } {
  return {
    scheduled_messages: listScheduledMessagesOf(tx.sql, user.id).map((message) =>
      presentScheduledMessage(tx, message),
    ),
  }
}
