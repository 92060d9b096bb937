import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import type { StoredReactionEvent } from '../../events/message-additions.ts'
import { MESSAGE_BIT } from '../../store/messages/flags/message-bits.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { changeMessageBits } from '../../store/messages/recent-message-rows.ts'
import { deleteReaction, hasReactions, type Reaction } from '../../store/reactions/reaction-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { callForReaction } from '../bots/enqueue-calls.ts'
import { actionAudience } from '../messages/read/action-audience.ts'
import { apiEmail } from '../users/addresses/api-email.ts'
import { unknownInChannel } from '../users/visibility/visible-users.ts'

/** Deletes a user's reaction and notifies the message's receivers. */
export function takeReaction(
  tx: RealmTransaction,
  user: User,
  message: IndexedMessage,
  reaction: Reaction,
): void {
  deleteReaction(tx.sql, reaction)
  if (!hasReactions(tx.sql, message.id)) {
    changeMessageBits(tx.sql, message.id, message.bits & ~MESSAGE_BIT.hasReaction)
  }
  announceReaction(tx, 'remove', user, message, reaction)
}

/** Notifies the message's receivers, and bots. Source: docs/interface/messages.md#add-or-remove-a-reaction. */
export function announceReaction(
  tx: RealmTransaction,
  op: 'add' | 'remove',
  user: User,
  message: IndexedMessage,
  reaction: Reaction,
): void {
  const { emoji_name, emoji_code, reaction_type } = reaction
  const { kind, id: channelId } = recipientOf(message.recipientId)
  const unknown = kind === 'channel' ? unknownInChannel(tx, user, channelId) : undefined
  const event: StoredReactionEvent = {
    type: 'reaction',
    op,
    message_id: message.id,
    emoji_name,
    emoji_code,
    reaction_type,
    user_id: user.id,
    user: { user_id: user.id, email: apiEmail(user, tx.realm), full_name: user.fullName },
    ...(unknown ? { unknown: { to: unknown.to, email: unknown.email, full_name: unknown.full_name } } : {}),
  }
  tx.emit(event, actionAudience(tx, message))
  callForReaction(tx, op, user, message, reaction)
}
