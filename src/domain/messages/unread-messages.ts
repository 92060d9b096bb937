import { channelRecipientId, recipientId } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { receivedRanges } from '../subscriptions/period-rows.ts'
import { isSubscribed } from '../subscriptions/subscription-rows.ts'
import type { User } from '../users/user-rows.ts'
import { listConversationsOfUser } from './conversation-rows.ts'
import { MESSAGE_BIT } from './message-bits.ts'
import { type IndexedMessage, MESSAGE_COLUMNS, messageOf } from './message-rows.ts'
import { ReadSet } from './read-rows.ts'

/** At most so many, the newest (behaviour 0.10). */
export const MAX_UNREAD_MESSAGES = 50_000

/**
 * What a user has received and not read, ascending by id: in channels the user is subscribed to and in
 * direct conversations. Derived from periods and read ranges (DESIGN 4).
 */
export function unreadMessages(sql: Sql, user: User, limit = MAX_UNREAD_MESSAGES): IndexedMessage[] {
  const read = new ReadSet(sql, user).loadAll()
  const found: IndexedMessage[] = []
  const collect = (recipient: number, since: number, until: number) => {
    const rows = sql.all<Parameters<typeof messageOf>[0]>(
      `SELECT ${MESSAGE_COLUMNS} FROM message_index m WHERE recipient_id = ? AND id > ? AND id <= ?`,
      recipient,
      Math.max(since, read.floor),
      until,
    )
    for (const row of rows) {
      if (!read.has(row.id) && !isReadBySender(row, user.id)) found.push(messageOf(row))
    }
  }
  for (const { channelId, since, until } of receivedRanges(sql, user.id)) {
    if (isSubscribed(sql, channelId, user.id)) collect(channelRecipientId(channelId), since, until)
  }
  for (const { id } of listConversationsOfUser(sql, user.id)) {
    collect(recipientId({ kind: 'conversation', id }), 0, Number.MAX_SAFE_INTEGER)
  }
  return found.sort((a, b) => a.id - b.id).slice(-limit)
}

function isReadBySender(row: { sender_id: number; bits: number }, userId: number): boolean {
  return row.sender_id === userId && (row.bits & MESSAGE_BIT.readBySender) !== 0
}
