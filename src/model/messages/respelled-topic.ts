import type { RealmView } from '../../core/realm-transaction.ts'
import { mayAccessChannelContent } from '../../rules/channel-rules.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { hasReceivedInTopic } from '../../store/messages/flags/received-message-rows.ts'
import { hasMovedWithTopic, isRespelling } from '../../store/messages/move/message-move-rows.ts'
import { findTopic, type Topic, topicKey } from '../../store/messages/topic-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'

/**
 * Returns the spelling in which a user writes to a topic. After a change of its case alone there is one spelling: what was begun, scheduled
 * or set before, and replies of clients that do not know it yet, take it too (docs/interface/messages.md#what-moves). Any other topic is
 * spelled by each message; a topic whose messages have gone is another one; and nobody learns the spelling of a topic in which they can read nothing.
 */
export function spelledAsRenamed(
  view: Pick<RealmView, 'sql' | 'now'>,
  userId: number,
  channelId: number,
  name: string,
): string {
  const topic = findTopic(view.sql, channelId, name)
  if (!topic?.moved || topic.name === name || !isRespelling(view.sql, topic.moved.moveId)) return name
  if (!hasMovedWithTopic(view.sql, topic.id, topic.moved)) return name
  return readsIn(view, userId, topic) ? topic.name : name
}

function readsIn({ sql, now }: Pick<RealmView, 'sql' | 'now'>, userId: number, topic: Topic): boolean {
  const [user, channel] = [findUser(sql, userId), findChannel(sql, topic.channelId)]
  if (!user || !channel) return false
  if (!mayAccessChannelContent(actorOf(sql, user, now), channel, isSubscribed(sql, channel.id, userId)))
    return false
  return hasReceivedInTopic(sql, topic, userId, channel.historyPublicToSubscribers)
}

/** Whether two names of a topic differ in case alone. */
export function differInCaseAlone(one: string, other: string): boolean {
  return one !== other && topicKey(one) === topicKey(other)
}
