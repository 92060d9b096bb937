import { channelRecipientId, recipientId, recipientOf } from '../../../core/recipient-id.ts'
import { remember } from '../../../core/remember.ts'
import type { Sql } from '../../../core/sql.ts'
import { conversationIdsOfUser } from '../../../store/messages/conversation-rows.ts'
import { flagBits } from '../../../store/messages/flags/flag-rows.ts'
import { ReadSet } from '../../../store/messages/flags/read-rows.ts'
import { messagesBetween, sparseRecords } from '../../../store/messages/flags/unread-message-rows.ts'
import { findMessages, type IndexedMessage } from '../../../store/messages/message-rows.ts'
import type { MoveIntoChannel } from '../../../store/messages/move/message-move-rows.ts'
import { recentMessages } from '../../../store/messages/recent-message-rows.ts'
import type { ReceivedRange } from '../../../store/subscriptions/period-rows.ts'
import {
  isReceived,
  receivedRanges,
  receivedRangesAmong,
} from '../../../store/subscriptions/received-range-rows.ts'
import { listSubscriptionsOfUser } from '../../../store/subscriptions/subscriber-rows.ts'
import { findSubscription } from '../../../store/subscriptions/subscription-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { isRead } from './message-flags.ts'

/** Number of unread messages that a snapshot lists, the newest (docs/interface/conventions.md#limits). */
export const MAX_UNREAD_MESSAGES = 50_000

/** Some of the unread messages, ascending, and the user's read set with all of its blocks. */
interface UnreadPart {
  readonly messages: readonly IndexedMessage[]
  /** The id up to which they are complete; undefined when these are all. */
  readonly reached: number | undefined
  readonly read: ReadSet
}

/** Minimum number of rows that are read of a range. */
const MIN_ROWS = 100

/** The parts of the index that are read to find unread messages. */
export interface UnreadParameters {
  readonly above: number
  readonly rows: number
  readonly upTo?: number
  /** All moves that put messages into the channels, for callers who ask about one user after another. */
  readonly moves?: readonly MoveIntoChannel[]
}

/** Returns the next unread messages of these channels, with ids beyond `above`, in about `rows` rows. */
export function nextUnreadOf(
  sql: Sql,
  user: User,
  channelIds: readonly number[],
  { above, rows, upTo = Number.MAX_SAFE_INTEGER, moves }: UnreadParameters,
): UnreadPart {
  const read = new ReadSet(sql, user).loadAll()
  // One half is for messages below the floor, wherever they are, the other for the channels above it.
  const half = Math.floor(rows / 2)
  const isAllBelow = upTo <= read.floor
  const maxBelow = Math.max(isAllBelow ? rows : half, MIN_ROWS)
  const below = read.unreadBeyond(above, 1, maxBelow)
  const recipients = new Set(channelIds.map(channelRecipientId))
  const old = findMessages(sql, below).filter(
    (message) => recipients.has(message.recipientId) && !isRead(message, user, read),
  )
  // Only channels with old unread messages are read: usually there are none among thousands.
  const scope = scopeIn(sql, user, isAllBelow ? channelIdsOf(old) : channelIds, moves)
  const limit = Math.max(Math.floor(half / (scope.ranges.length + 1)), MIN_ROWS)
  let end = below.length >= maxBelow ? below.at(-1)! : Number.MAX_SAFE_INTEGER
  const noteEnd = (ids: readonly number[]) => {
    if (ids.length >= limit) end = Math.min(end, ids.at(-1)!)
  }
  const part = { above: Math.max(above, read.floor), upTo: end, limit, noteEnd }
  const messages = [...old, ...(isAllBelow ? [] : unreadBetween(sql, user, read, scope, part))].filter(
    (message) => message.id <= end && scope.isAtHand(message),
  )
  const isRecorded = recordTest(sql, user.id, scope)
  return {
    messages: messages.filter((message) => message.id > read.floor || isRecorded(message)),
    reached: end === Number.MAX_SAFE_INTEGER ? undefined : end,
    read,
  }
}

function channelIdsOf(messages: readonly IndexedMessage[]): number[] {
  return [...new Set(messages.map(({ recipientId }) => recipientOf(recipientId).id))]
}

/** The channels and conversations in which a user may have unread messages. */
interface UnreadScope {
  readonly ranges: readonly ReceivedRange[]
  readonly conversations: ReadonlySet<number>
  readonly isAtHand: (message: Pick<IndexedMessage, 'recipientId'>) => boolean
}

export function scopeAtHand(sql: Sql, user: User): UnreadScope {
  const subscribed = new Set(
    listSubscriptionsOfUser(sql, user.id).flatMap(({ channelId, isActive }) => (isActive ? channelId : [])),
  )
  const conversations = new Set(
    conversationIdsOfUser(sql, user.id).map((id) => recipientId({ kind: 'conversation', id })),
  )
  const isRecipientAtHand = remember((recipient: number) => {
    const { kind, id } = recipientOf(recipient)
    return kind === 'channel' ? subscribed.has(id) : conversations.has(recipient)
  })
  return {
    ranges: receivedRanges(sql, user.id).filter(({ channelId }) => subscribed.has(channelId)),
    conversations,
    isAtHand: ({ recipientId: recipient }) => isRecipientAtHand(recipient),
  }
}

/** Returns the part of `scopeAtHand` for these recipients, without reading about the user's other channels. */
export function scopeAmong(sql: Sql, user: User, recipients: ReadonlySet<number>): UnreadScope {
  const channelIds = [...recipients]
    .map(recipientOf)
    .flatMap(({ kind, id }) => (kind === 'channel' ? id : []))
  const subscribed = channelIds.filter((id) => findSubscription(sql, id, user.id)?.isActive)
  const own = conversationIdsOfUser(sql, user.id).map((id) => recipientId({ kind: 'conversation', id }))
  const conversations = new Set(own.filter((recipient) => recipients.has(recipient)))
  const { ranges, isAtHand } = scopeIn(sql, user, subscribed)
  return {
    ranges,
    conversations,
    isAtHand: (message) => isAtHand(message) || conversations.has(message.recipientId),
  }
}

/** Number of channels from which all periods of a user are read at once. */
const MANY_CHANNELS = 50

function scopeIn(
  sql: Sql,
  user: User,
  channelIds: readonly number[],
  moves?: readonly MoveIntoChannel[],
): UnreadScope {
  const recipients = new Set(channelIds.map(channelRecipientId))
  const isIn = new Set(channelIds)
  return {
    ranges:
      channelIds.length > MANY_CHANNELS
        ? receivedRanges(sql, user.id).filter(({ channelId }) => isIn.has(channelId))
        : receivedRangesAmong(sql, user.id, channelIds, moves),
    conversations: new Set(),
    isAtHand: ({ recipientId: recipient }) => recipients.has(recipient),
  }
}

/** A range of ids, of which a limited number is read for each conversation. */
interface IdRange {
  readonly above: number
  readonly upTo: number
  readonly limit?: number
  noteEnd?(ids: readonly number[]): void
}

/** Returns the unread messages of a range, ascending. Sparse records count wherever they are. */
function unreadBetween(
  sql: Sql,
  user: User,
  read: ReadSet,
  { ranges, conversations }: UnreadScope,
  { above, upTo, limit = -1, noteEnd }: IdRange,
): IndexedMessage[] {
  const unread = new Map<number, IndexedMessage>()
  const keep = (messages: readonly IndexedMessage[]) => {
    noteEnd?.(messages.map(({ id }) => id))
    for (const message of messages) if (!isRead(message, user, read)) unread.set(message.id, message)
  }
  for (const { channelId, since, until } of ranges) {
    const within = [Math.max(since, above), Math.min(until, upTo)] as const
    keep(messagesBetween(sql, channelRecipientId(channelId), ...within, limit))
  }
  for (const recipient of conversations) keep(messagesBetween(sql, recipient, above, upTo, limit))
  keep(sparseRecords(sql, user.id, above, upTo, limit))
  return [...unread.values()].sort((a, b) => a.id - b.id)
}

/**
 * Number of newest ids that are looked through message by message, for all channels together. A settled read set has its
 * floor among them (register-queue.ts); older ones are read channel by channel.
 */
const LOOKED_THROUGH = 5_120

/** Returns the unread messages of a range above the floor, as `unreadBetween` does, but the newest from memory. `newest`: the highest id. */
export function unreadAbove(
  sql: Sql,
  user: User,
  read: ReadSet,
  scope: UnreadScope,
  { above, upTo }: Pick<IdRange, 'above' | 'upTo'>,
  newest: number,
): IndexedMessage[] {
  const remembered = recentMessages(sql)
  // Reading all messages costs less than a statement for each channel if they are fewer.
  const isWhole = scope.ranges.length + scope.conversations.size >= upTo - above
  const reach = isWhole ? above : remembered.reach(sql, Math.max(above, newest - LOOKED_THROUGH))
  const from = Math.min(reach, upTo)
  const older = from > above ? unreadBetween(sql, user, read, scope, { above, upTo: from }) : []
  const recent = remembered.between(sql, from, upTo)
  const isDerived = derivedTest(scope)
  const sparse =
    recent.length === 0
      ? new Set<number>()
      : new Set(sparseRecords(sql, user.id, from, upTo, -1).map(({ id }) => id))
  return [
    ...older,
    ...recent.filter(
      (message) => (isDerived(message) || sparse.has(message.id)) && !isRead(message, user, read),
    ),
  ]
}

/** Returns a test whether the user still has a record: a message may have been moved away after it was marked as unread. */
export function recordTest(
  sql: Sql,
  userId: number,
  scope: UnreadScope,
): (message: IndexedMessage) => boolean {
  const isDerived = derivedTest(scope)
  return (message) =>
    recipientOf(message.recipientId).kind !== 'channel' ||
    isDerived(message) ||
    flagBits(sql, userId, message.id) !== undefined
}

/** Returns a test whether the user has received a message, by their channels and conversations. */
function derivedTest({
  ranges,
  conversations,
}: UnreadScope): (message: Pick<IndexedMessage, 'id' | 'recipientId'>) => boolean {
  const rangesOf = Map.groupBy(ranges, ({ channelId }) => channelRecipientId(channelId))
  return ({ id, recipientId: recipient }) => {
    const own = rangesOf.get(recipient)
    return own ? isReceived(own, id) : conversations.has(recipient)
  }
}
