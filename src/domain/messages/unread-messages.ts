import { channelRecipientId, recipientId, recipientOf } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { isReceived, type ReceivedRange, receivedRanges } from '../subscriptions/period-rows.ts'
import { isSubscribed } from '../subscriptions/subscription-rows.ts'
import type { User } from '../users/user-rows.ts'
import { listConversationsOfUser } from './conversation-rows.ts'
import { flagBits } from './flag-rows.ts'
import { isRead } from './message-flags.ts'
import {
  findMessages,
  type IndexedMessage,
  MESSAGE_COLUMNS,
  messageOf,
  newestMessageId,
} from './message-rows.ts'
import { ReadSet } from './read-rows.ts'

/** At most so many, the newest (docs/interface/conventions.md#limits). */
export const MAX_UNREAD_MESSAGES = 50_000

/** Ids that are looked up together. */
const LOOKED_UP_AT_ONCE = 5_000

/**
 * What a user has a record of and has not read, ascending by id: in channels the user is subscribed to and
 * in direct conversations. Derived from periods, read ranges and sparse rows (docs/decisions/design.md#no-row-for-each-recipient).
 */
export function unreadMessages(sql: Sql, user: User, limit = MAX_UNREAD_MESSAGES): IndexedMessage[] {
  return unreadIn(sql, user, scopeAtHand(sql, user), limit)
}

/** The same of these channels alone, to which the user is subscribed. Looks at nothing that is elsewhere. */
export function unreadMessagesOf(sql: Sql, user: User, channelIds: readonly number[]): IndexedMessage[] {
  return unreadIn(sql, user, scopeIn(sql, user, channelIds), MAX_UNREAD_MESSAGES)
}

function unreadIn(sql: Sql, user: User, scope: UnreadScope, limit: number): IndexedMessage[] {
  const read = new ReadSet(sql, user).loadAll()
  const above = unreadBetween(sql, user, read, scope, read.floor, Number.MAX_SAFE_INTEGER)
    .filter(scope.isAtHand)
    .slice(-limit)
  const found = [above]
  const below = read.unreadBelowFloor()
  for (let left = limit - above.length, end = below.length; left > 0 && end > 0; end -= LOOKED_UP_AT_ONCE) {
    const part = findMessages(sql, below.slice(Math.max(end - LOOKED_UP_AT_ONCE, 0), end))
      .filter((message) => scope.isAtHand(message) && !isRead(message, user, read))
      .filter(recordTest(sql, user.id, scope))
      .slice(-left)
    found.push(part)
    left -= part.length
  }
  return found.reverse().flat()
}

/** Where a user finds unread messages. */
interface UnreadScope {
  readonly ranges: readonly ReceivedRange[]
  /** Recipient ids of direct conversations. */
  readonly conversations: ReadonlySet<number>
  isAtHand(message: IndexedMessage): boolean
}

function scopeAtHand(sql: Sql, user: User): UnreadScope {
  const isSubscribedTo = remember((channelId: number) => isSubscribed(sql, channelId, user.id))
  const conversations = new Set(
    listConversationsOfUser(sql, user.id).map(({ id }) => recipientId({ kind: 'conversation', id })),
  )
  return {
    ranges: receivedRanges(sql, user.id).filter(({ channelId }) => isSubscribedTo(channelId)),
    conversations,
    isAtHand({ recipientId: recipient }) {
      const { kind, id } = recipientOf(recipient)
      return kind === 'channel' ? isSubscribedTo(id) : conversations.has(recipient)
    },
  }
}

function scopeIn(sql: Sql, user: User, channelIds: readonly number[]): UnreadScope {
  const recipients = new Set(channelIds.map(channelRecipientId))
  return {
    ranges: channelIds.flatMap((id) => receivedRanges(sql, user.id, id)),
    conversations: new Set(),
    isAtHand: ({ recipientId: recipient }) => recipients.has(recipient),
  }
}

/** Of the messages with ids above `above` and up to `upTo`, ascending. Sparse records wherever they are. */
function unreadBetween(
  sql: Sql,
  user: User,
  read: ReadSet,
  { ranges, conversations }: UnreadScope,
  above: number,
  upTo: number,
): IndexedMessage[] {
  const unread = new Map<number, IndexedMessage>()
  const keep = (messages: readonly IndexedMessage[]) => {
    for (const message of messages) if (!isRead(message, user, read)) unread.set(message.id, message)
  }
  for (const { channelId, since, until } of ranges) {
    keep(messagesBetween(sql, channelRecipientId(channelId), Math.max(since, above), Math.min(until, upTo)))
  }
  for (const recipient of conversations) keep(messagesBetween(sql, recipient, above, upTo))
  keep(sparseRecords(sql, user.id, above, upTo))
  return [...unread.values()].sort((a, b) => a.id - b.id)
}

/** A message may have been taken away by a move, and be back, after it was marked as unread. */
function recordTest(sql: Sql, userId: number, { ranges }: UnreadScope): (message: IndexedMessage) => boolean {
  const rangesOf = Map.groupBy(ranges, ({ channelId }) => channelId)
  return ({ id, recipientId: recipient }) => {
    const source = recipientOf(recipient)
    if (source.kind !== 'channel' || isReceived(rangesOf.get(source.id) ?? [], id)) return true
    return flagBits(sql, userId, id) !== undefined
  }
}

/** A floor that rises by less is not worth the rows. */
const WORTH_RAISING = 4_096
/** Ids that are looked through together: somebody may come back to a million messages. */
const SETTLED_AT_ONCE = 16 * 4_096

/**
 * Raises the floor to the newest message, with what is unread as exceptions, once for thousands of messages:
 * then neither the messages that a user has read nor those that others got are looked at again to find the
 * unread ones. Answers the user as it is now.
 */
export function settleReadSet(sql: Sql, user: User): User {
  const newest = newestMessageId(sql)
  if (newest - user.readFloor < WORTH_RAISING) return user
  const scope = scopeAtHand(sql, user)
  const read = new ReadSet(sql, user)
  const isUnread = (message: IndexedMessage) => !isRead(message, user, read)
  const unread: number[] = []
  const below = read.unreadBelowFloor()
  for (let at = 0; at < below.length; at += LOOKED_UP_AT_ONCE) {
    const part = findMessages(sql, below.slice(at, at + LOOKED_UP_AT_ONCE)).filter(isUnread)
    for (const { id } of part) unread.push(id)
  }
  for (let above = read.floor; above < newest; above += SETTLED_AT_ONCE) {
    const part = unreadBetween(sql, user, read, scope, above, Math.min(above + SETTLED_AT_ONCE, newest))
    for (const { id } of part) unread.push(id)
  }
  read.settle(newest, unread)
  read.save()
  return { ...user, readFloor: newest }
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

/** Messages above `since`, up to `until`, that the user has a row of flags for: some have no other record. */
function sparseRecords(sql: Sql, userId: number, since: number, until: number): IndexedMessage[] {
  return sql
    .all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM message_flag f JOIN message_index m ON m.id = f.message_id
       WHERE f.user_id = ? AND f.message_id > ? AND f.message_id <= ?`,
      userId,
      since,
      until,
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
