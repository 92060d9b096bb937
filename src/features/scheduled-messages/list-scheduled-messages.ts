import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { type PresentedScheduledMessage, scheduledMessageEntries } from '../../events/scheduled-messages.ts'
import type { Caller } from '../../model/caller.ts'
import { presentScheduledMessage } from '../../model/scheduled-messages/present-scheduled-message.ts'
import { listScheduledMessagesOf } from '../../store/scheduled-messages/scheduled-message-rows.ts'

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
