import { BadRequestError } from '../../core/errors.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { recordHoldersAmong } from '../../store/messages/read/record-holder-rows.ts'
import { openSubscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import { findUsers, type User } from '../../store/users/user-rows.ts'

/**
 * Number of subscribers of a channel up to which they see who is typing (docs/interface/messages.md#typing).
 */
const MAX_SUBSCRIBERS = 100

/** Returns the ids of those users who want to know who is typing, ascending. */
export function typingReceivers(users: Iterable<User>): number[] {
  return [...users]
    .filter((user) => user.isActive && userSetting(user, 'receives_typing_notifications'))
    .map(({ id }) => id)
    .sort((a, b) => a - b)
}

/** Returns the ids of those who are notified in a channel; undefined when it is too large. */
export function typingReceiversInChannel(
  { sql }: Pick<RealmView, 'sql'>,
  channelId: number,
): number[] | undefined {
  const subscribers = openSubscribersOf(sql, channelId)
  if (subscribers.size > MAX_SUBSCRIBERS) return undefined
  return typingReceivers(findUsers(sql, subscribers.toArray()).values())
}

/** Returns the receivers as `typingReceiversInChannel` does, of those who can see the edited message. */
export function typingReceiversOf(
  { sql }: Pick<RealmView, 'sql'>,
  channelId: number,
  message: Pick<IndexedMessage, 'id' | 'moveId'>,
): number[] | undefined {
  const receivers = typingReceiversInChannel({ sql }, channelId)
  if (!receivers || findChannel(sql, channelId)?.historyPublicToSubscribers) return receivers
  return recordHoldersAmong(sql, channelId, message, receivers).map(({ userId }) => userId)
}

/**
 * Refuses a user whose setting hides typing, instead of silently sending nothing
 * (docs/interface/messages.md#typing).
 */
export function requireTypingShared(user: User, kind: 'channel' | 'direct'): void {
  if (kind === 'channel' && !userSetting(user, 'send_stream_typing_notifications')) {
    throw new BadRequestError('User has disabled typing notifications for channel messages')
  }
  if (kind === 'direct' && !userSetting(user, 'send_private_typing_notifications')) {
    throw new BadRequestError('User has disabled typing notifications for direct messages')
  }
}
