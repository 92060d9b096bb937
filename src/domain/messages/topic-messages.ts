import type { RealmView } from '../../core/realm-transaction.ts'
import type { TopicCount } from '../../permissions/move-rules.ts'
import type { Channel } from '../channels/channel-rows.ts'
import { receivedAmong, receivedRanges } from '../subscriptions/period-rows.ts'
import { flagBitsOf } from './flag-rows.ts'
import type { Viewer } from './message-access.ts'
import { listTopicMessageIds, listTopicMessagesSince } from './topic-message-rows.ts'

/** Messages of a topic. */
export interface TopicMessages {
  readonly topicId: number
  /** Ascending. */
  readonly ids: readonly number[]
  /** Is there no other message in the topic? */
  readonly areAll: boolean
}

/**
 * The messages of a topic that somebody who reads the channel can access: all of them, but with protected history
 * only those received. What others do not see is neither counted nor moved by them (docs/interface/messages.md#edit-or-move-a-message; docs/decisions/interface.md#messages).
 */
export function accessibleMessages(
  { sql }: Pick<RealmView, 'sql'>,
  { user }: Viewer,
  channel: Channel,
  topicId: number,
): TopicMessages {
  const all = listTopicMessageIds(sql, topicId)
  if (channel.historyPublicToSubscribers) return { topicId, ids: all, areAll: true }
  const received = receivedAmong(receivedRanges(sql, user.id, channel.id), all)
  if (received.length === all.length) return { topicId, ids: all, areAll: true }
  const among = new Set(received)
  const sparse = flagBitsOf(sql, user.id, all)
  const ids = all.filter((id) => among.has(id) || sparse.has(id))
  return { topicId, ids, areAll: ids.length === all.length }
}

/** How many of them are young enough. `now` in UNIX seconds. */
export function countTopic(
  { sql, now }: Pick<RealmView, 'sql' | 'now'>,
  { topicId, ids, areAll }: TopicMessages,
  maxAgeSeconds: number,
): TopicCount {
  const young = listTopicMessagesSince(sql, topicId, now - maxAgeSeconds)
  const accessible = new Set(areAll ? [] : ids)
  const allowed = areAll ? young : young.filter((id) => accessible.has(id))
  return { total: ids.length, allowed: allowed.length, firstAllowedId: allowed[0] ?? null }
}
