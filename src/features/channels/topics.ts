import * as v from 'valibot'
import { topicDeleted } from '../../api/audit-rules.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { described, jsonBoolean, pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { CHANGES_OF_COMMIT, ROWS_OF_TURN } from '../../core/budgets.ts'
import { commit } from '../../core/command.ts'
import { inParts } from '../../core/parts-of-lists.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { Caller } from '../../model/caller.ts'
import {
  requireActiveChannel,
  requireReadableChannel,
} from '../../model/channels/visibility/find-for-caller.ts'
import { deleteMessages } from '../../model/messages/edit/delete-messages.ts'
import { dropPolicies } from '../../model/messages/move/policies-of-gone-topics.ts'
import { accessReader } from '../../model/messages/read/message-access.ts'
import { invalidChannelId } from '../../rules/channel-rules.ts'
import { mayReadMessage } from '../../rules/message-rules.ts'
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
import { countWithin } from '../../store/messages/edit/deletion-rows.ts'
import { messagesOfTopicBelow } from '../../store/messages/message-rows.ts'
import { findTopic } from '../../store/messages/topic-rows.ts'
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

interface DeleteTopicParams {
  readonly stream_id: number
  readonly topic_name: string
}

/** Deletes the newest messages below an id. Returns the last one's id if more are left. */
function deleteNext(
  tx: RealmTransaction,
  caller: Caller,
  { stream_id, topic_name }: DeleteTopicParams,
  below: number,
): number | undefined {
  const { user, actor } = caller
  const channel = requireActiveChannel(tx.sql, caller, stream_id)
  const name = topic_name === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic_name
  const topic = findTopic(tx.sql, channel.id, name)
  if (!topic) return undefined
  const page = messagesOfTopicBelow(tx.sql, topic.id, below, CHANGES_OF_COMMIT + 1)
  const ids = page.slice(0, CHANGES_OF_COMMIT).map(({ id }) => id)
  const looked = page.slice(0, countWithin(tx.sql, ids, ROWS_OF_TURN))
  const accessOf = accessReader(tx, caller)
  const readable = looked.filter((message) => mayReadMessage(actor, accessOf(message)))
  deleteMessages(tx, readable, [user.id])
  if (page.length > looked.length) return looked.at(-1)!.id
  dropPolicies(tx, channel, topic)
  return undefined
}

/**
 * Deletes a topic's messages that the caller can see, batch by batch, newest first; when time is up, the client is asked to repeat the
 * request for the rest (docs/interface/conventions.md#limits). Source: docs/interface/channels.md#delete-a-topic.
 */
export const deleteTopicEndpoint = defineEndpoint({
  operation: 'delete-topic',
  route: 'POST /streams/:stream_id/delete_topic',
  access: 'administrator',
  params: {
    stream_id: pathInteger,
    topic_name: described(
      textUpTo(NAME_LENGTH),
      'The display name of the empty topic is read as the empty topic.',
    ),
  },
  returns: v.object({ complete: v.boolean() }),
  command: {
    *commits(params) {
      let below: number | undefined = Number.MAX_SAFE_INTEGER
      do {
        const before: number = below
        below = yield* commit((tx, caller: Caller) => deleteNext(tx, caller, params, before))
      } while (below !== undefined)
      return { complete: true }
    },
    unfinished: { complete: false },
  },
  // Without the name: owners do not read every channel.
  audit: { ofEachCommit: topicDeleted },
})
