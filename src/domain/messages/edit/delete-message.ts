import type { Command } from '../../../core/command.ts'
import { requireMayDeleteMessage } from '../../../permissions/message-rules.ts'
import type { Caller } from '../../caller.ts'
import { realmPermissions, realmProperty } from '../../realm/realm-setting-rows.ts'
import { findUser } from '../../users/user-rows.ts'
import { messageAccess, requireModifiableMessage } from '../read/message-access.ts'
import { deleteMessages } from './delete-messages.ts'

/** Deletes one message for everybody. Source: docs/interface/messages.md#delete-a-message; docs/interface/access.md#messages. */
export const deleteMessage: Command<Caller, { readonly message_id: number }, void, object> = {
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
    return {}
  },
}
