import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean, pathInteger } from '../../api/parameter-types.ts'
import { inParts } from '../../core/parts-of-lists.ts'
import { defineReader } from '../../core/reader.ts'
import type { Sql } from '../../core/sql.ts'
import { requireReadableChannel } from '../../model/channels/visibility/find-for-caller.ts'
import { invalidChannelId } from '../../rules/channel-rules.ts'
import { isOpenToSpectators } from '../../rules/spectator-rules.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'
import { type Channel, findChannel } from '../../store/channels/channel-rows.ts'
import {
  type ListedTopic,
  listedWith,
  newestKept,
  newestReceived,
  topicsOfChannelAfter,
} from '../../store/messages/channel-topic-rows.ts'
import { receivedRanges } from '../../store/subscriptions/received-range-rows.ts'

const topicsParameters = { stream_id: pathInteger, allow_empty_topic_name: v.optional(jsonBoolean, 'false') }

const topicsAnswer = v.object({ topics: v.array(v.object({ name: v.string(), max_id: v.number() })) })

/**
 * Lists the topics of a web-public channel, for visitors without an account. Source:
 * docs/interface/visitors.md#routes; docs/interface/visitors.md#messages.
 * @throws BadRequestError for any other channel, and for one that does not exist.
 */
export const getPublicTopicsEndpoint = defineEndpoint({
  operation: 'get-public-topics',
  route: 'GET /users/me/:stream_id/topics',
  access: 'spectator',
  params: topicsParameters,
  returns: topicsAnswer,
  query(tx, _anyone, { stream_id, allow_empty_topic_name }) {
    const { id } = requireOpenChannel(tx.sql, stream_id)
    return { topics: presentTopics(tx.use(topicsOfChannel, id), allow_empty_topic_name) }
  },
  largeAnswer: true,
})

/**
 * Lists a channel's topics, the one with the newest message first; in protected history only those in which the caller has a message.
 * Source: docs/interface/reading.md#topics-of-a-channel; docs/decisions/interface.md#messages.
 */
export const getStreamTopicsEndpoint = defineEndpoint({
  operation: 'get-stream-topics',
  route: 'GET /users/me/:stream_id/topics',
  access: 'user',
  params: topicsParameters,
  returns: topicsAnswer,
  query(tx, caller, { stream_id, allow_empty_topic_name }) {
    const { id, historyPublicToSubscribers } = requireReadableChannel(tx.sql, caller, stream_id)
    const topics = historyPublicToSubscribers
      ? tx.use(topicsOfChannel, id)
      : tx.use(topicsReceived, { userId: caller.user.id, channelId: id })
    return { topics: presentTopics(topics, allow_empty_topic_name) }
  },
  forSpectators: getPublicTopicsEndpoint,
  largeAnswer: true,
})

function requireOpenChannel(sql: Sql, channelId: number): Channel {
  const channel = findChannel(sql, channelId)
  if (!channel || !isOpenToSpectators(channel)) throw invalidChannelId()
  return channel
}

/** Topics that are read at a time, and topics for which a user's received messages are found at a time. */
const READ_AT_A_TIME = 1_000

const FOUND_AT_A_TIME = 100

/** Topics sorted in the time that reading a row takes. */
const SORTED_FOR_A_ROW = 4

/** A channel's topics, the one with the newest message first. */
const topicsOfChannel = defineReader({
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
 * The channel's topics in which a user has messages (sent while the user was subscribed, or with a sparse row), each with the newest of
 * these. A topic is read no further if its newest message is the user's, and not at all if it is older than everything that the user has.
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

function presentTopics(topics: readonly ListedTopic[], allowEmptyTopic: boolean) {
  return topics.map(({ name, newestMessageId }) => ({
    name: name === '' && !allowEmptyTopic ? EMPTY_TOPIC_DISPLAY_NAME : name,
    max_id: newestMessageId,
  }))
}
