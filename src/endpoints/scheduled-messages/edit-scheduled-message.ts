import * as v from 'valibot'
import { editScheduledMessage } from '../../domain/scheduled-messages/edit-scheduled-message.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { messageContent, sentTopic } from '../messages/message-parameters.ts'
import { jsonTimestamp, pathInteger } from '../parameter-types.ts'
import { scheduledTo, scheduledType } from './scheduled-message-parameters.ts'

/** Changes a scheduled message. Source: docs/interface/personal.md#scheduled-messages. */
export const editScheduledMessageEndpoint = defineEndpoint({
  operation: 'edit-scheduled-message',
  method: 'PATCH',
  path: '/scheduled_messages/:scheduled_message_id',
  access: 'user',
  growsObject: true,
  params: {
    scheduled_message_id: pathInteger,
    type: v.optional(scheduledType),
    to: v.optional(scheduledTo),
    topic: v.optional(sentTopic),
    content: v.optional(messageContent),
    scheduled_delivery_timestamp: v.optional(v.pipe(jsonTimestamp, v.description('UNIX seconds.'))),
  },
  returns: v.object({}),
  command: editScheduledMessage,
  audit: 'own',
})
