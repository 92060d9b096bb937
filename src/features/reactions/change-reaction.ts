import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import type { StoredReactionEvent } from '../../events/reaction.ts'
import { callForReaction } from '../../model/bots/enqueue-calls.ts'
import { actionAudience } from '../../model/messages/read/action-audience.ts'
import { apiEmail } from '../../model/users/addresses/api-email.ts'
import { unknownInChannel } from '../../model/users/visibility/present-unknown-user.ts'
import { MESSAGE_BIT } from '../../store/messages/flags/message-bits.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { changeMessageBits } from '../../store/messages/recent-message-rows.ts'
import {
  deleteReaction,
  hasReactions,
  insertReaction,
  type Reaction,
} from '../../store/reactions/reaction-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

/**
 * Stores a reaction of `user` and notifies the message's receivers. Source:
 * docs/interface/messages.md#add-or-remove-a-reaction.
 */
export function putReaction(
  tx: RealmTransaction,
  user: User,
  message: IndexedMessage,
  reaction: Reaction,
): void {
  insertReaction(tx.sql, reaction)
  if ((message.bits & MESSAGE_BIT.hasReaction) === 0) {
    changeMessageBits(tx.sql, message.id, message.bits | MESSAGE_BIT.hasReaction)
  }
  announce(tx, 'add', user, message, reaction)
  callForReaction(tx, 'add', user, message, reaction)
}

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
  announce(tx, 'remove', user, message, reaction)
  callForReaction(tx, 'remove', user, message, reaction)
}

function announce(
  tx: RealmTransaction,
  op: 'add' | 'remove',
  user: User,
  message: IndexedMessage,
  { emoji_name, emoji_code, reaction_type }: Reaction,
): void {
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
}
