import * as v from 'valibot'
import { deleteScheduledMessage } from '../../domain/scheduled-messages/delete-scheduled-message.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Deletes a scheduled message. Source: docs/interface/personal.md#scheduled-messages. */
export const deleteScheduledMessageEndpoint = defineEndpoint({
  operation: 'delete-scheduled-message',
  method: 'DELETE',
  path: '/scheduled_messages/:scheduled_message_id',
  access: 'user',
  params: { scheduled_message_id: pathInteger },
  returns: v.object({}),
  command: deleteScheduledMessage,
  audit: 'own',
})
