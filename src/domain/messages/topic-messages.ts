import type { RealmView } from '../../core/realm-transaction.ts'
import type { TopicCount } from '../../permissions/move-rules.ts'
import type { Channel } from '../channels/channel-rows.ts'
import { accessReader, type Viewer } from './message-access.ts'
import { listTopicMessages, type TopicMessage } from './topic-message-rows.ts'

/**
 * The messages of a topic that somebody who reads the channel can access, ascending: all of them, but with
 * protected history only those received. What others do not see is neither counted nor moved by them
 * (SPEC 4.2 rule 4; decisions 3).
 */
export function accessibleMessages(
  view: Pick<RealmView, 'sql'>,
  viewer: Viewer,
  channel: Channel,
  topicId: number,
): TopicMessage[] {
  const messages = listTopicMessages(view.sql, topicId)
  if (channel.historyPublicToSubscribers) return messages
  const accessOf = accessReader(view, viewer)
  return messages.filter((message) => accessOf(message).hasRecord)
}

/** How many of them are young enough. `now` in UNIX seconds. */
export function countTopic(
  messages: readonly TopicMessage[],
  maxAgeSeconds: number,
  now: number,
): TopicCount {
  const allowed = messages.filter(({ sentAt }) => now - sentAt <= maxAgeSeconds)
  return { total: messages.length, allowed: allowed.length, firstAllowedId: allowed[0]?.id ?? null }
}
