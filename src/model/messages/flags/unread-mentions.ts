import { FLAG_BIT, MESSAGE_BIT, UNMENTIONED_BIT } from '../../../store/messages/flags/message-bits.ts'
import type { IndexedMessage } from '../../../store/messages/message-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'

/**
 * Whether the message counts among a user's unread mentions. A personal one always does, one of everybody
 * only where the topic is not muted. `sparse`: the user's own row of flags. Source:
 * docs/interface/reading.md#unread-messages.
 */
export function isUnreadMention(
  message: Pick<IndexedMessage, 'bits' | 'topicId' | 'sentAt'>,
  user: Pick<User, 'joinedAt'>,
  sparse: number,
  isMuted: boolean,
): boolean {
  if ((sparse & FLAG_BIT.mentioned) !== 0) return true
  const isWildcard =
    mentionsReceiver(message, user, sparse) ||
    (sparse & (FLAG_BIT.topic_wildcard_mentioned | FLAG_BIT.stream_wildcard_mentioned)) !== 0
  return isWildcard && !isMuted
}

/**
 * Whether the message mentions everybody in its channel, including this user, who has a record of it. A user
 * who found it later, got it by a move, or has a younger account was not mentioned. `sparse`: the user's own
 * row of flags. Source: docs/interface/messages.md#send-a-message;
 * docs/interface/access.md#a-new-organization; docs/interface/messages.md#edit-or-move-a-message.
 */
export function mentionsReceiver(
  { topicId, bits, sentAt }: Pick<IndexedMessage, 'topicId' | 'bits' | 'sentAt'>,
  { joinedAt }: Pick<User, 'joinedAt'>,
  sparse: number,
): boolean {
  const isWildcard = topicId > 0 && (bits & MESSAGE_BIT.channelWildcard) !== 0
  return isWildcard && (sparse & (FLAG_BIT.historical | UNMENTIONED_BIT)) === 0 && sentAt >= joinedAt
}
