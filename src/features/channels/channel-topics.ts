import { inParts } from '../../core/parts-of-lists.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { requireReadableChannel } from '../../model/channels/visibility/find-for-caller.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'
import {
  type ListedTopic,
  listedWith,
  newestKept,
  newestReceived,
  topicsOfChannelAfter,
} from '../../store/messages/channel-topic-rows.ts'
import { receivedRanges } from '../../store/subscriptions/received-range-rows.ts'

/** Topics that are read, or of which it is found what a user has received, at a time. */
const READ_AT_A_TIME = 1_000
const FOUND_AT_A_TIME = 100
/** Topics that are sorted in the time that a row takes. */
const SORTED_FOR_A_ROW = 4

/** The topics of a channel, the one with the newest message first. */
export const topicsOfChannel = defineReader({
  name: 'topics of a channel',
  key: (channelId: number) => `${channelId}`,
  *read({ sql }, channelId) {
    const found: ListedTopic[] = []
    for (let after: string | undefined; ; ) {
      const { topics, next } = topicsOfChannelAfter(sql, channelId, after, READ_AT_A_TIME)
      found.push(...topics)
      if (next === undefined) break
      after = next
      yield
    }
    yield found.length / SORTED_FOR_A_ROW
    return found.sort(byNewest)
  },
})

/**
 * The topics of a channel of which a user has a record, each with its newest message among those: sent while the user was subscribed, or
 * with a sparse row. A topic is read no further once its newest message is one of the user's, and not at all when it is older than
 * everything that the user has.
 */
const topicsReceived = defineReader({
  name: 'topics received',
  key: ({ userId, channelId }: { readonly userId: number; readonly channelId: number }) =>
    `${userId} ${channelId}`,
  *read({ sql, use }, { userId, channelId }) {
    const ranges = receivedRanges(sql, userId, channelId)
    const kept = newestKept(sql, userId, channelId)
    const found: ListedTopic[] = []
    for (const topics of inParts(yield* use(topicsOfChannel, channelId), FOUND_AT_A_TIME)) {
      for (const topic of topics) {
        const newest = Math.max(newestReceived(sql, topic, ranges), kept.get(topic.id) ?? 0)
        found.push(...listedWith(sql, topic, newest))
      }
      yield topics.length
    }
    yield found.length / SORTED_FOR_A_ROW
    return found.sort(byNewest)
  },
})

function byNewest(a: ListedTopic, b: ListedTopic): number {
  return b.newestMessageId - a.newestMessageId
}

export interface GetStreamTopicsParams {
  readonly stream_id: number
  readonly allow_empty_topic_name: boolean
}

export interface PresentedTopic {
  readonly name: string
  readonly max_id: number
}

/**
 * Lists topics of a channel, the one with the newest message first; in protected history only those in which
 * the caller has a message. Source: docs/interface/reading.md#topics-of-a-channel;
 * docs/decisions/interface.md#messages.
 */
export function getStreamTopics(
  tx: RealmReads,
  caller: Caller,
  { stream_id, allow_empty_topic_name }: GetStreamTopicsParams,
): { topics: PresentedTopic[] } {
  const { id, historyPublicToSubscribers } = requireReadableChannel(tx.sql, caller, stream_id)
  const topics = historyPublicToSubscribers
    ? tx.use(topicsOfChannel, id)
    : tx.use(topicsReceived, { userId: caller.user.id, channelId: id })
  return { topics: presentTopics(topics, allow_empty_topic_name) }
}

export function presentTopics(topics: readonly ListedTopic[], allowEmptyTopic: boolean): PresentedTopic[] {
  return topics.map(({ name, newestMessageId }) => ({
    name: name === '' && !allowEmptyTopic ? EMPTY_TOPIC_DISPLAY_NAME : name,
    max_id: newestMessageId,
  }))
}
