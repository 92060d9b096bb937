import { inParts } from '../../../core/parts-of-lists.ts'
import { channelRecipientId, recipientId, recipientOf } from '../../../core/recipient-id.ts'
import type { Sql } from '../../../core/sql.ts'
import { listPeriods, periodsIn, type ReceivedRange } from '../../subscriptions/period-rows.ts'
import { isReceived, receivedRanges, receivedReader } from '../../subscriptions/received-range-rows.ts'
import { conversationIdsOfUser } from '../conversation-rows.ts'
import {
  type IndexedMessage,
  newestInAnyChannel,
  newestMessageId,
  newestMessagesTo,
} from '../message-rows.ts'
import { channelsMovedInto } from '../move/message-move-rows.ts'
import { recentMessages } from '../recent-message-rows.ts'

/** Returns the newest message of which a user has a personal record: in a channel, a conversation, or as a sparse row. */
export function newestReceivedMessage(sql: Sql, userId: number): number | undefined {
  const sparse = sql.value(`SELECT MAX(message_id) AS id FROM message_flag WHERE user_id = ?`, userId) ?? 0
  const newestOfEverybody = newestMessageId(sql)
  const recent = newestOfAll(sql, userId, newestOfEverybody) ?? newestInMemory(sql, userId, newestOfEverybody)
  if (recent !== undefined) return Math.max(recent, sparse)
  const inConversations = conversationIdsOfUser(sql, userId).map((id) => ({
    recipient: recipientId({ kind: 'conversation', id }),
    since: 0,
    until: Number.MAX_SAFE_INTEGER,
  }))
  let elsewhere = sparse
  for (const some of inParts(inConversations, CONVERSATIONS_AT_ONCE)) {
    elsewhere = Math.max(newestIn(sql, some), elsewhere)
  }
  const newest = newestInChannels(sql, userId, elsewhere, newestOfEverybody)
  return newest === 0 ? undefined : newest
}

/** Number of conversations of one statement: SQLite takes texts of 2 MB. */
const CONVERSATIONS_AT_ONCE = 10_000

/**
 * Returns the newest message of the organization if the user has received it: mostly someone who is in thousands of channels has, and then
 * these are not read.
 */
function newestOfAll(sql: Sql, userId: number, newest: number): number | undefined {
  const [message] = recentMessages(sql).find(sql, [newest])
  if (!message || message.moveId !== null) return undefined
  const { kind, id } = recipientOf(message.recipientId)
  if (kind === 'user') return undefined
  const hasReceived =
    kind === 'channel'
      ? isReceived(periodsIn(sql, userId, id), message.id)
      : conversationIdsOfUser(sql, userId).includes(id)
  return hasReceived ? message.id : undefined
}

/** Number of messages that are checked in memory. */
const LOOKED_AT_IN_MEMORY = 1_000

/**
 * Number of channels and conversations from which on so many messages are read into memory first: it takes less than asking for the newest
 * of each.
 */
const MANY_RECIPIENTS = LOOKED_AT_IN_MEMORY

/** Returns the newest message that a user received in a channel or conversation, if it is among the newest in memory. */
function newestInMemory(sql: Sql, userId: number, newest: number): number | undefined {
  const conversations = new Set(
    conversationIdsOfUser(sql, userId).map((id) => recipientId({ kind: 'conversation', id })),
  )
  const periods = listPeriods(sql, userId)
  const isInPeriods = reader(sql, userId, periods)
  if (conversations.size + periods.length >= MANY_RECIPIENTS) {
    recentMessages(sql).between(sql, Math.max(newest - LOOKED_AT_IN_MEMORY, 0), newest)
  }
  for (const message of recentMessages(sql).newestInMemory(sql, LOOKED_AT_IN_MEMORY)) {
    if (conversations.has(message.recipientId) || isInPeriods(message)) return message.id
  }
  return undefined
}

/** Number of channels whose periods are picked out one by one, before those of all are put in order: thousands of them take milliseconds. */
const PICKED_OUT = 8

/** Returns what says whether a message was received in a channel. `periods`: all of the user's. */
function reader(
  sql: Sql,
  userId: number,
  periods: readonly ReceivedRange[],
): (message: Pick<IndexedMessage, 'id' | 'recipientId' | 'topicId' | 'moveId'>) => boolean {
  const isReceivedAfterMoves = receivedReader(sql, userId)
  const picked = new Map<number, readonly ReceivedRange[]>()
  let all: Map<number, readonly ReceivedRange[]> | undefined
  const periodsIn = (id: number) => {
    const known = (all ?? picked).get(id)
    if (known || all) return known
    if (picked.size === PICKED_OUT) {
      all = Map.groupBy(periods, ({ channelId }) => channelId)
      return all.get(id)
    }
    const own = periods.filter(({ channelId }) => channelId === id)
    picked.set(id, own)
    return own
  }
  return (message) => {
    if (message.topicId === 0) return false
    const { id } = recipientOf(message.recipientId)
    const own = periodsIn(id)
    if (!own || own.length === 0) return false
    return message.moveId === null ? isReceived(own, message.id) : isReceivedAfterMoves(message, id)
  }
}

/**
 * The messages that are looked at to find the newest message of a user in many channels, before the newest of each is asked for: the messages after
 * which it is given up, direct messages among them, and those of channels.
 */
const NEWEST_OF_MANY = { messages: 20_000, inChannels: 10 } as const

/** Returns the newest message that the user received in a channel, if it is among the newest of all channels. */
function newestAmongNewest(
  sql: Sql,
  userId: number,
  periods: readonly ReceivedRange[],
  newest: number,
): number | undefined {
  const messages = newestInAnyChannel(sql, newest - NEWEST_OF_MANY.messages, NEWEST_OF_MANY.inChannels)
  return messages.find(reader(sql, userId, periods))?.id
}

/** Returns the newest message above an id that the user received in a channel; else the id. */
function newestInChannels(sql: Sql, userId: number, above: number, newestOfEverybody: number): number {
  const periods = listPeriods(sql, userId)
  if (periods.length >= MANY_RECIPIENTS) {
    const found = newestAmongNewest(sql, userId, periods, newestOfEverybody)
    if (found !== undefined) return Math.max(found, above)
  }
  const movedInto = channelsMovedInto(sql, [...new Set(periods.map(({ channelId }) => channelId))])
  const plain = periods.filter(({ channelId }) => !movedInto.has(channelId))
  let newest = newestInRanges(sql, plain, above)
  for (const channelId of movedInto) newest = newestWithMoved(sql, userId, channelId, newest)
  return newest
}

/** Number of messages of a channel that are checked one by one before reading the ranges in which others were moved there. */
const NEWEST_LOOKED_AT = 10

/** Returns the same for a single channel into which messages were moved. */
function newestWithMoved(sql: Sql, userId: number, channelId: number, above: number): number {
  const isReceived = receivedReader(sql, userId)
  const newest = newestMessagesTo(sql, channelRecipientId(channelId), above, NEWEST_LOOKED_AT)
  const received = newest.find((message) => isReceived(message, channelId))
  if (received) return received.id
  if (newest.length < NEWEST_LOOKED_AT) return above
  return newestInRanges(sql, receivedRanges(sql, userId, channelId), above)
}

/**
 * Returns the newest message in the ranges above an id; else the id. The highest ranges are read first,
 * since moved messages may lead to thousands of them.
 */
function newestInRanges(sql: Sql, ranges: readonly ReceivedRange[], above: number): number {
  const descending = ranges.toSorted((a, b) => b.until - a.until)
  let newest = above
  for (const next of inParts(descending, RANGES_AT_ONCE)) {
    const some = next.filter(({ until }) => until > newest)
    if (some.length === 0) break
    const found = some.map(({ channelId, since, until }) => ({
      recipient: channelRecipientId(channelId),
      since: Math.max(since, newest),
      until,
    }))
    newest = Math.max(newest, newestIn(sql, found))
  }
  return newest
}

/** Number of ranges of channels whose newest messages one statement reads. */
const RANGES_AT_ONCE = 100

/** Returns the newest id in any of these ranges; 0 when there is none. */
function newestIn(
  sql: Sql,
  ranges: readonly { readonly recipient: number; readonly since: number; readonly until: number }[],
): number {
  return (
    sql.value(
      `SELECT MAX((
         SELECT MAX(id) FROM message_index
         WHERE recipient_id = value->>0 AND id > value->>1 AND id <= value->>2
       )) AS id FROM json_each(?)`,
      ranges.map(({ recipient, since, until }) => [recipient, since, until]),
    ) ?? 0
  )
}

/** Whether the topic has a message that the user has received, or, where all readers see the channel's history, any message. */
export function hasReceivedInTopic(
  sql: Sql,
  topic: { readonly id: number; readonly channelId: number },
  userId: number,
  isHistoryOpen: boolean,
): boolean {
  if (isHistoryOpen) {
    return sql.finds(`SELECT 1 FROM message_index WHERE topic_id = ? AND topic_id > 0 LIMIT 1`, topic.id)
  }
  const inPeriods = receivedRanges(sql, userId, topic.channelId).some(({ since, until }) =>
    sql.finds(
      `SELECT 1 FROM message_index WHERE topic_id = ? AND topic_id > 0 AND id > ? AND id <= ? LIMIT 1`,
      topic.id,
      since,
      until,
    ),
  )
  return (
    inPeriods ||
    sql.finds(
      `SELECT 1 FROM message_index m JOIN message_flag f ON f.message_id = m.id AND f.user_id = ?2
       WHERE m.topic_id = ?1 AND m.topic_id > 0 LIMIT 1`,
      topic.id,
      userId,
    )
  )
}
