import { channelRecipientId, recipientId } from '../../../core/recipient-id.ts'
import type { Sql } from '../../../core/sql.ts'
import {
  isReceived,
  listPeriods,
  type ReceivedRange,
  receivedRanges,
  receivedReader,
} from '../../subscriptions/period-rows.ts'
import { listConversationsOfUser } from '../conversation-rows.ts'
import { recentMessages } from '../message-facts-rows.ts'
import { newestMessageId, newestMessagesTo } from '../message-rows.ts'
import { channelsMovedInto } from '../move/message-move-rows.ts'

/**
 * Returns the newest message of which a user has a personal record: in a channel, a conversation, or as a
 * sparse row.
 */
export function newestReceivedMessage(sql: Sql, userId: number): number | undefined {
  const sparse =
    sql.first<{ id: number | null }>(
      `SELECT MAX(message_id) AS id FROM message_flag WHERE user_id = ?`,
      userId,
    )?.id ?? 0
  const recent = newestInMemory(sql, userId)
  if (recent !== undefined) return Math.max(recent, sparse)
  const inConversations = listConversationsOfUser(sql, userId).map(({ id }) =>
    newestIn(sql, recipientId({ kind: 'conversation', id }), 0, Number.MAX_SAFE_INTEGER),
  )
  const elsewhere = inConversations.reduce((newest, id) => Math.max(newest, id), sparse)
  const newest = newestInChannels(sql, userId, elsewhere)
  return newest === 0 ? undefined : newest
}

/** Number of messages in memory that are looked at. */
const LOOKED_AT_IN_MEMORY = 1_000

/** Returns the newest message that a user received in a channel or conversation, if it is among the newest in memory. */
function newestInMemory(sql: Sql, userId: number): number | undefined {
  const conversations = new Set(
    listConversationsOfUser(sql, userId).map(({ id }) => recipientId({ kind: 'conversation', id })),
  )
  const periods = Map.groupBy(listPeriods(sql, userId), ({ channelId }) => channelRecipientId(channelId))
  const isReceivedAfterMoves = receivedReader(sql, userId)
  for (const message of recentMessages(sql).newestInMemory(sql, newestMessageId(sql), LOOKED_AT_IN_MEMORY)) {
    const own = periods.get(message.recipientId)
    if (!own) {
      if (conversations.has(message.recipientId)) return message.id
    } else if (message.moveId === null) {
      if (isReceived(own, message.id)) return message.id
    } else if (isReceivedAfterMoves(message, own[0]!.channelId)) return message.id
  }
  return undefined
}

/** Returns the newest message above an id that the user received in a channel; else the id. */
function newestInChannels(sql: Sql, userId: number, above: number): number {
  const periods = listPeriods(sql, userId)
  const movedInto = channelsMovedInto(sql, [...new Set(periods.map(({ channelId }) => channelId))])
  const plain = periods.filter(({ channelId }) => !movedInto.has(channelId))
  let newest = newestInRanges(sql, plain, above)
  for (const channelId of movedInto) newest = newestWithMoved(sql, userId, channelId, newest)
  return newest
}

/**
 * Number of messages of a channel that are checked one by one before reading the ranges in which others were
 * moved there.
 */
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
 * Returns the newest message in the ranges above an id; else the id. The highest range is read first, since
 * moved messages may lead to thousands of ranges.
 */
function newestInRanges(sql: Sql, ranges: readonly ReceivedRange[], above: number): number {
  let newest = above
  for (const { channelId, since, until } of ranges.toSorted((a, b) => b.until - a.until)) {
    if (until <= newest) break
    newest = Math.max(newest, newestIn(sql, channelRecipientId(channelId), Math.max(since, newest), until))
  }
  return newest
}

/** Returns the newest id; 0 when there is none. */
function newestIn(sql: Sql, recipient: number, since: number, until: number): number {
  return (
    sql.first<{ id: number | null }>(
      `SELECT MAX(id) AS id FROM message_index WHERE recipient_id = ? AND id > ? AND id <= ?`,
      recipient,
      since,
      until,
    )?.id ?? 0
  )
}

/**
 * Whether the topic has a message that the user has received, or, where all readers see the channel's
 * history, any message.
 */
export function hasReceivedInTopic(
  sql: Sql,
  topic: { readonly id: number; readonly channelId: number },
  userId: number,
  isHistoryOpen: boolean,
): boolean {
  if (isHistoryOpen) {
    return (
      sql.first(`SELECT 1 FROM message_index WHERE topic_id = ? AND topic_id > 0 LIMIT 1`, topic.id) !==
      undefined
    )
  }
  const inPeriods = receivedRanges(sql, userId, topic.channelId).some(
    ({ since, until }) =>
      sql.first(
        `SELECT 1 FROM message_index WHERE topic_id = ? AND topic_id > 0 AND id > ? AND id <= ? LIMIT 1`,
        topic.id,
        since,
        until,
      ) !== undefined,
  )
  return (
    inPeriods ||
    sql.first(
      `SELECT 1 FROM message_index m JOIN message_flag f ON f.message_id = m.id AND f.user_id = ?2
       WHERE m.topic_id = ?1 AND m.topic_id > 0 LIMIT 1`,
      topic.id,
      userId,
    ) !== undefined
  )
}
