import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger, wordOf } from '../../api/parameter-types.ts'
import { toUsers } from '../../core/audience.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import type { StoredTypingEditMessageEvent } from '../../events/typing-edit-message.ts'
import type { Caller } from '../../model/caller.ts'
import { requireModifiableMessage } from '../../model/messages/read/message-access.ts'
import { topicOfMessage } from '../../model/messages/topic-of-message.ts'
import { requireMayEditContent } from '../../rules/message-rules.ts'
import { conversationById } from '../../store/messages/conversation-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { realmProperties } from '../../store/realm/realm-setting-rows.ts'
import { findUsers } from '../../store/users/user-rows.ts'
import { requireTypingShared, typingReceivers, typingReceiversOf } from './typing-audience.ts'

/**
 * Notifies others that the caller is editing a message, or has stopped. The caller must have the right to
 * edit now, without the grace period of the edit itself. Source: docs/interface/messages.md#typing.
 */
export const setEditTypingEndpoint = defineEndpoint({
  operation: 'set-edit-typing',
  method: 'POST',
  path: '/messages/:message_id/typing',
  access: 'user',
  params: { message_id: pathInteger, op: wordOf(['start', 'stop']) },
  returns: v.object({}),
  command: { apply: setEditTyping },
  audit: 'speech',
})

interface SetEditTypingParams {
  readonly message_id: number
  readonly op: 'start' | 'stop'
}

function setEditTyping(
  tx: RealmTransaction,
  caller: Caller,
  { message_id, op }: SetEditTypingParams,
): object {
  const message = requireModifiableMessage(tx, caller, message_id)
  requireMayEditContent(
    caller.actor,
    { senderId: message.senderId, ageSeconds: tx.now - message.sentAt },
    realmProperties(tx.sql),
    0,
  )
  const target = typingTargetOf(tx, message)
  requireTypingShared(caller.user, target.recipient.type)
  if (!target.receivers) return {}
  const event: StoredTypingEditMessageEvent = {
    type: 'typing_edit_message',
    op,
    sender_id: caller.user.id,
    message_id,
    recipient: target.recipient,
  }
  tx.emitEphemeral(event, toUsers(...target.receivers))
  return {}
}

interface TypingTarget {
  readonly recipient: StoredTypingEditMessageEvent['recipient']
  readonly receivers: readonly number[] | undefined
}

function typingTargetOf(tx: RealmReads, message: IndexedMessage): TypingTarget {
  const { kind, id } = recipientOf(message.recipientId)
  if (kind === 'channel') {
    return {
      recipient: { type: 'channel', channel_id: id, topic: topicOfMessage(tx.sql, message)?.name ?? '' },
      receivers: typingReceiversOf(tx, id, message),
    }
  }
  const members = conversationById(tx.sql, id)?.members ?? []
  return {
    recipient: { type: 'direct', user_ids: [...members] },
    receivers: typingReceivers(findUsers(tx.sql, members).values()),
  }
}
