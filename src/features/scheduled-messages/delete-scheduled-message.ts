import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { deleteScheduledMessage } from './delete-scheduled-message-work.ts'

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
