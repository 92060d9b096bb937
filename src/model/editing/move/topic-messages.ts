import type { RealmView } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import type { TopicCount } from '../../../rules/move-rules.ts'
import type { Channel } from '../../../store/channels/channel-rows.ts'
import { flagBitsOf } from '../../../store/messages/flags/flag-rows.ts'
import { findMessages } from '../../../store/messages/message-rows.ts'
import {
  listTopicMessageIds,
  listTopicMessagesSince,
  newestTopicMessageIds,
} from '../../../store/messages/move/topic-message-rows.ts'
import { receivedAmong, receivedRanges } from '../../../store/subscriptions/received-range-rows.ts'
import type { Viewer } from '../../messages/read/message-access.ts'

export interface TopicMessages {
  readonly topicId: number
  /** Ascending. */
  readonly ids: readonly number[]
  readonly areAll: boolean
}

/**
 * Returns the messages of a topic that a reader of the channel can access: all, or with protected history only received
 * ones. Messages that the mover does not see are neither counted nor moved
 * (docs/interface/messages.md#edit-or-move-a-message; docs/decisions/interface.md#messages).
 */
export function accessibleMessages(
  { sql }: Pick<RealmView, 'sql'>,
  { user }: Viewer,
  channel: Channel,
  topicId: number,
): TopicMessages {
  const all = listTopicMessageIds(sql, topicId)
  const ids = accessibleReader(sql, user.id, channel)(all)
  return { topicId, ids, areAll: ids.length === all.length }
}

/** Returns the newest `limit` of them from the message `from` on, ascending, without reading older ones. */
export function newestAccessible(
  { sql }: Pick<RealmView, 'sql'>,
  { user }: Viewer,
  channel: Channel,
  topicId: number,
  { from, limit }: { readonly from: number; readonly limit: number },
): readonly number[] {
  const accessible = accessibleReader(sql, user.id, channel)
  let found: readonly number[] = []
  for (let below = Number.MAX_SAFE_INTEGER; found.length < limit; ) {
    const page = newestTopicMessageIds(sql, topicId, { from, below, limit })
    found = [...accessible(page), ...found]
    if (page.length < limit) break
    below = page[0]!
  }
  return found.slice(-limit)
}

/** Returns a function that selects the messages of a channel (ascending) that a reader of it can access. */
export function accessibleReader(
  sql: Sql,
  userId: number,
  channel: Channel,
): (ids: readonly number[]) => readonly number[] {
  if (channel.historyPublicToSubscribers) return (ids) => ids
  const ranges = receivedRanges(sql, userId, channel.id)
  return (ids) => {
    const received = receivedAmong(ranges, ids)
    if (received.length === ids.length) return ids
    const among = new Set(received)
    const sparse = flagBitsOf(sql, userId, ids)
    return ids.filter((id) => among.has(id) || sparse.has(id))
  }
}

/** Counts the messages that are young enough. `now` in UNIX seconds. */
export function countTopic(
  { sql, now }: Pick<RealmView, 'sql' | 'now'>,
  { topicId, ids, areAll }: TopicMessages,
  maxAgeSeconds: number,
): TopicCount {
  const since = now - maxAgeSeconds
  const allowed = areAll
    ? listTopicMessagesSince(sql, topicId, since)
    : findMessages(sql, ids).flatMap(({ id, sentAt }) => (sentAt >= since ? [id] : []))
  return { total: ids.length, allowed: allowed.length, firstAllowedId: allowed[0] ?? null }
}
