import { channelRecipientId, recipientId, recipientOf } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { isReceived, type ReceivedRange, receivedRanges } from '../subscriptions/period-rows.ts'
import { isSubscribed } from '../subscriptions/subscription-rows.ts'
import type { User } from '../users/user-rows.ts'
import { listConversationsOfUser } from './conversation-rows.ts'
import { flagBitsOf } from './flag-rows.ts'
import { isRead } from './message-flags.ts'
import {
  findMessages,
  type IndexedMessage,
  MESSAGE_COLUMNS,
  messageOf,
  newestMessageId,
} from './message-rows.ts'
import { ReadSet } from './read-rows.ts'

/** At most so many, the newest (behaviour 0.10). */
export const MAX_UNREAD_MESSAGES = 50_000

/**
 * What a user has a record of and has not read, ascending by id: in channels the user is subscribed to and
 * in direct conversations. Derived from periods, read ranges and sparse rows (DESIGN 4).
 */
export function unreadMessages(sql: Sql, user: User, limit = MAX_UNREAD_MESSAGES): IndexedMessage[] {
  const read = new ReadSet(sql, user).loadAll()
  const unread = new Map<number, IndexedMessage>()
  const keep = (messages: readonly IndexedMessage[]) => {
    for (const message of messages) if (!isRead(message, user, read)) unread.set(message.id, message)
  }
  const isSubscribedTo = remember((channelId: number) => isSubscribed(sql, channelId, user.id))
  const ranges = receivedRanges(sql, user.id).filter(({ channelId }) => isSubscribedTo(channelId))
  for (const { channelId, since, until } of ranges) {
    keep(messagesBetween(sql, channelRecipientId(channelId), Math.max(since, read.floor), until))
  }
  const conversations = new Set(
    listConversationsOfUser(sql, user.id).map(({ id }) => recipientId({ kind: 'conversation', id })),
  )
  for (const recipient of conversations) {
    keep(messagesBetween(sql, recipient, read.floor, Number.MAX_SAFE_INTEGER))
  }
  const isAtHand = ({ recipientId: recipient }: IndexedMessage) => {
    const { kind, id } = recipientOf(recipient)
    return kind === 'channel' ? isSubscribedTo(id) : conversations.has(recipient)
  }
  keep(sparseRecords(sql, user.id, read.floor).filter(isAtHand))
  keep(withRecord(sql, user.id, ranges, findMessages(sql, read.unreadBelowFloor()).filter(isAtHand)))
  return [...unread.values()].sort((a, b) => a.id - b.id).slice(-limit)
}

/** A message may have been taken away by a move, and be back, after it was marked as unread. */
function withRecord(
  sql: Sql,
  userId: number,
  ranges: readonly ReceivedRange[],
  messages: readonly IndexedMessage[],
): IndexedMessage[] {
  const sparse = flagBitsOf(
    sql,
    userId,
    messages.map(({ id }) => id),
  )
  return messages.filter(({ id, recipientId: recipient }) => {
    const place = recipientOf(recipient)
    if (place.kind !== 'channel' || sparse.has(id)) return true
    const inChannel = ranges.filter(({ channelId }) => channelId === place.id)
    return isReceived(inChannel, id)
  })
}

/** A floor that rises by less is not worth the row. */
const WORTH_RAISING = 4_096

/**
 * Everything below the oldest unread message is read: raising the floor there keeps looking for unread
 * messages cheap for those who never mark everything read. `unread` is complete and ascending.
 */
export function settleReadFloor(sql: Sql, user: User, unread: readonly IndexedMessage[]): void {
  if (unread.length >= MAX_UNREAD_MESSAGES) return
  const read = new ReadSet(sql, user)
  const floor = unread.length > 0 ? unread[0]!.id - 1 : newestMessageId(sql)
  if (floor - read.floor < WORTH_RAISING) return
  read.raiseFloor(floor)
  read.save()
}

type MessageRow = Parameters<typeof messageOf>[0]

/** Of one recipient, above `since` and up to `until`. */
function messagesBetween(sql: Sql, recipient: number, since: number, until: number): IndexedMessage[] {
  return sql
    .all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM message_index m WHERE recipient_id = ? AND id > ? AND id <= ?`,
      recipient,
      since,
      until,
    )
    .map(messageOf)
}

/** Messages above `since` that the user has a row of flags for: some have no other record. */
function sparseRecords(sql: Sql, userId: number, since: number): IndexedMessage[] {
  return sql
    .all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM message_flag f JOIN message_index m ON m.id = f.message_id
       WHERE f.user_id = ? AND f.message_id > ?`,
      userId,
      since,
    )
    .map(messageOf)
}

function remember<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key))
    return known.get(key)!
  }
}
