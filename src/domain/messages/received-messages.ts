import { channelRecipientId, recipientId } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { receivedRanges } from '../subscriptions/period-rows.ts'
import { listConversationsOfUser } from './conversation-rows.ts'

/** The newest message a user has a personal record of: in a channel, a conversation, or as a sparse row. */
export function newestReceivedMessage(sql: Sql, userId: number): number | undefined {
  const inConversations = listConversationsOfUser(sql, userId).map(({ id }) =>
    newestIn(sql, recipientId({ kind: 'conversation', id }), 0, Number.MAX_SAFE_INTEGER),
  )
  const sparse = sql.first<{ id: number | null }>(
    `SELECT MAX(message_id) AS id FROM message_flag WHERE user_id = ?`,
    userId,
  )?.id
  const elsewhere = [sparse ?? 0, ...inConversations].reduce((newest, id) => Math.max(newest, id), 0)
  const newest = newestInChannels(sql, userId, elsewhere)
  return newest === 0 ? undefined : newest
}

/** Of what is above `least`, else that. Moved messages may have left thousands of ranges: the highest come first. */
function newestInChannels(sql: Sql, userId: number, least: number): number {
  let newest = least
  for (const { channelId, since, until } of receivedRanges(sql, userId).sort((a, b) => b.until - a.until)) {
    if (until <= newest) break
    newest = Math.max(newest, newestIn(sql, channelRecipientId(channelId), Math.max(since, newest), until))
  }
  return newest
}

/** 0 when there is none. */
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
 * Does the topic hold a message that the user has received, or, where the channel's history is open to
 * whoever reads it, any message?
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
