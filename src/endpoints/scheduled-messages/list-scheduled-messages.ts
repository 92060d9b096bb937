import * as v from 'valibot'
import { listScheduledMessages } from '../../domain/scheduled-messages/list-scheduled-messages.ts'
import { scheduledMessageEntries } from '../../events/scheduled-messages.ts'
import { defineEndpoint } from '../define-endpoint.ts'

/** The caller's scheduled messages. Source: docs/interface/personal.md#scheduled-messages. */
export const listScheduledMessagesEndpoint = defineEndpoint({
  operation: 'list-scheduled-messages',
  method: 'GET',
  path: '/scheduled_messages',
  access: 'user',
  params: {},
  returns: v.object({ scheduled_messages: v.array(v.object(scheduledMessageEntries)) }),
  command: listScheduledMessages,
})
