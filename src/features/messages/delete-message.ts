import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { deleteMessages } from '../../model/editing/delete-messages.ts'
import { messageAccess, requireModifiableMessage } from '../../model/messages/read/message-access.ts'
import { requireMayDeleteMessage } from '../../rules/message-rules.ts'
import { findMessage } from '../../store/messages/message-rows.ts'
import { realmPermissions, realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'

/** Deletes one message for everyone. Source: docs/interface/messages.md#delete-a-message; docs/interface/access.md#messages. */
export const deleteMessageEndpoint = defineEndpoint({
  operation: 'delete-message',
  route: 'DELETE /messages/:message_id',
  access: 'user',
  params: { message_id: pathInteger },
  apply(tx, caller, { message_id }) {
    const message = requireModifiableMessage(tx, caller, message_id)
    requireMayDeleteMessage(
      caller.actor,
      {
        senderId: message.senderId,
        senderBotOwnerId: findUser(tx.sql, message.senderId)?.botOwnerId ?? null,
        ageSeconds: tx.now - message.sentAt,
        channel: messageAccess(tx, caller, message).channel,
      },
      {
        ...realmPermissions(tx.sql),
        message_content_delete_limit_seconds: realmProperty(tx.sql, 'message_content_delete_limit_seconds'),
      },
    )
    deleteMessages(tx, [message])
  },
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
