import * as v from 'valibot'
import { deleteMessage } from '../../domain/messages/edit/delete-message.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Deletes one message for everybody. Source: docs/interface/messages.md#delete-a-message. */
export const deleteMessageEndpoint = defineEndpoint({
  operation: 'delete-message',
  method: 'DELETE',
  path: '/messages/:message_id',
  access: 'user',
  params: { message_id: pathInteger },
  returns: v.object({}),
  command: deleteMessage,
})
