import * as v from 'valibot'
import { createScheduledMessage } from '../../domain/scheduled-messages/create-scheduled-message.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { messageContent, sentTopic } from '../messages/message-parameters.ts'
import { jsonBoolean, jsonTimestamp } from '../parameter-types.ts'
import { scheduledTo, scheduledType } from './scheduled-message-parameters.ts'

/** Schedules a message. Source: docs/interface/personal.md#scheduled-messages. */
export const createScheduledMessageEndpoint = defineEndpoint({
  operation: 'create-scheduled-message',
  method: 'POST',
  path: '/scheduled_messages',
  access: 'user',
  growsObject: true,
  params: {
    type: scheduledType,
    to: scheduledTo,
    content: messageContent,
    scheduled_delivery_timestamp: v.pipe(jsonTimestamp, v.description('UNIX seconds.')),
    topic: v.optional(sentTopic),
    read_by_sender: v.optional(jsonBoolean),
  },
  returns: v.object({ scheduled_message_id: v.number() }),
  command: createScheduledMessage,
  audit: 'own',
})
