import * as v from 'valibot'
import { recipientOf } from '../../core/recipient-id.ts'
import { deleteMessage } from '../../domain/messages/edit/delete-message.ts'
import { findMessage } from '../../domain/messages/message-rows.ts'
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
  audit: {
    before({ sql }, { message_id }) {
      const message = findMessage(sql, message_id)
      return ({ actorId }) => {
        if (message === undefined || message.senderId === actorId) return undefined
        const { kind, id } = recipientOf(message.recipientId)
        return {
          action: 'message_deleted',
          details: { message_id, sender_id: message.senderId, stream_id: kind === 'channel' ? id : null },
        }
      }
    },
  },
})
