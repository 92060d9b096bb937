import { FLAG_BIT } from '../../../store/messages/flags/message-bits.ts'
import type { IndexedMessage } from '../../../store/messages/message-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { mentionsReceiver } from './wildcard-mention.ts'

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
