import type { User } from '../users/user-rows.ts'
import { FLAG_BIT, MESSAGE_BIT, UNCALLED_BIT } from './message-bits.ts'
import type { IndexedMessage } from './message-rows.ts'

/**
 * Does the message call everybody in its channel, this user among them, who has a record of it? Whoever
 * found it later, was given it by a move, or has an account that is younger, was not called. `sparse`: the
 * user's own row of flags. Source: docs/interface/messages.md#send-a-message; docs/interface/access.md#a-new-organization; docs/interface/messages.md#edit-or-move-a-message.
 */
export function callsReceiver(
  { topicId, bits, sentAt }: Pick<IndexedMessage, 'topicId' | 'bits' | 'sentAt'>,
  { joinedAt }: Pick<User, 'joinedAt'>,
  sparse: number,
): boolean {
  const isWildcard = topicId > 0 && (bits & MESSAGE_BIT.channelWildcard) !== 0
  return isWildcard && (sparse & (FLAG_BIT.historical | UNCALLED_BIT)) === 0 && sentAt >= joinedAt
}
