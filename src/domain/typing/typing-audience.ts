import type { RealmView } from '../../core/realm-transaction.ts'
import { countSubscribers, subscriberIds } from '../subscriptions/subscription-rows.ts'
import { findUsers, type User } from '../users/user-rows.ts'
import { userSetting } from '../users/user-setting-rows.ts'

/** Nobody is told who is typing in a channel that has more subscribers (behaviour 0.10). */
const MOST_SUBSCRIBERS = 100

/** Those of the users who want to know who is typing: ids, ascending. */
export function typingReceivers(users: Iterable<User>): number[] {
  return [...users]
    .filter((user) => user.isActive && userSetting(user, 'receives_typing_notifications'))
    .map(({ id }) => id)
    .sort((a, b) => a - b)
}

/** Undefined when the channel is too large. */
export function typingReceiversInChannel(
  { sql }: Pick<RealmView, 'sql'>,
  channelId: number,
): number[] | undefined {
  if (countSubscribers(sql, channelId, MOST_SUBSCRIBERS + 1) > MOST_SUBSCRIBERS) return undefined
  return typingReceivers(findUsers(sql, subscriberIds(sql, channelId)).values())
}
