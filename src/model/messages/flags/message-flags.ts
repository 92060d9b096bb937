import type { RealmView } from '../../../core/realm-transaction.ts'
import { recipientOf } from '../../../core/recipient-id.ts'
import { type DeclaresLevel, getsRepresentation } from '../../../core/representations-by-level.ts'
import type { Sql } from '../../../core/sql.ts'
import { flagBitsAmongUsers, flagBitsBetween, storedMarks } from '../../../store/messages/flags/flag-rows.ts'
import {
  FLAG_BIT,
  flagNames,
  MESSAGE_BIT,
  UNMENTIONED_BIT,
} from '../../../store/messages/flags/message-bits.ts'
import { blockOf } from '../../../store/messages/flags/message-id-set.ts'
import { ReadSet } from '../../../store/messages/flags/read-rows.ts'
import type { IndexedMessage } from '../../../store/messages/message-rows.ts'
import { receivedReader } from '../../../store/subscriptions/received-range-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'

/** Flags of a message that was never received. */
const WITHOUT_RECORD: readonly string[] = ['read', 'historical']

/**
 * Returns the viewer's flags of each message, by id, in the form for the client. A message without a personal record is read and historical.
 * Checks no access. Source: docs/interface/access.md#messages; docs/interface/messages.md#get-a-message; docs/interface/reading.md#flags.
 */
export function flagsOf(
  { sql }: Pick<RealmView, 'sql'>,
  { user }: { readonly user: User },
  messages: readonly IndexedMessage[],
  client: DeclaresLevel,
): Map<number, readonly string[]> {
  const unknown = getsRepresentation(client, 'flag hide_link_previews') ? 0 : FLAG_BIT.hide_link_previews
  const ids = messages.map(({ id }) => id)
  const { bits: sparse, blocks } = storedMarks(sql, user.id, ids)
  const read = new ReadSet(sql, user)
  read.know(new Set(ids.map(blockOf)), blocks)
  const isReceived = receivedReader(sql, user.id)
  const namesRead = new Map<number, readonly string[]>()
  const namesUnread = new Map<number, readonly string[]>()
  return new Map(
    messages.map((message) => {
      const received = isDerivedRecord(message, isReceived)
      const own = sparse.get(message.id)
      if (own === undefined && !received) return [message.id, WITHOUT_RECORD]
      const bits = ((own ?? 0) & ~unknown) | (received ? sharedFlags(message, user, own ?? 0) : 0)
      const isOneRead = isRead(message, user, read)
      const known = isOneRead ? namesRead : namesUnread
      // Most messages of a page have the same flags.
      const names = known.get(bits) ?? recordedFlags(bits, isOneRead)
      known.set(bits, names)
      return [message.id, names]
    }),
  )
}

/** Returns the flags of one message for many users who all have a record of it: names by user id. */
export function flagsOfHolders(
  { sql }: Pick<RealmView, 'sql'>,
  message: IndexedMessage,
  holders: readonly User[],
): Map<number, string[]> {
  const userIds = holders.map(({ id }) => id)
  const sparse = flagBitsAmongUsers(sql, message.id, userIds)
  return new Map(
    holders.map((user) => {
      const own = sparse.get(user.id) ?? 0
      const bits = own | sharedFlags(message, user, own)
      return [user.id, recordedFlags(bits, isRead(message, user, new ReadSet(sql, user)))]
    }),
  )
}

/** Whether a message is read: by the user's own set, or sent by them from a full client, or because it arrived read. */
export function isRead(
  message: Pick<IndexedMessage, 'id' | 'senderId' | 'bits'>,
  user: Pick<User, 'id'>,
  read: ReadSet,
): boolean {
  if (read.has(message.id)) return true
  if (message.senderId === user.id && (message.bits & MESSAGE_BIT.readBySender) !== 0) return true
  return arrivedRead(message, read) && !read.isUnreadException(message.id)
}

/** Whether the message arrived read for the user, so that it takes a row to be unread. */
export function arrivedRead(
  message: Pick<IndexedMessage, 'id' | 'senderId' | 'bits'>,
  read: ReadSet,
): boolean {
  const { arrivesRead, isResolveNotice } = MESSAGE_BIT
  if ((message.bits & arrivesRead) !== 0) {
    return (message.bits & isResolveNotice) === 0 || !read.isUnreadNotice(message.id)
  }
  return (message.bits & MESSAGE_BIT.senderWasMuted) !== 0 && read.hadMutedSender(message)
}

/** Whether the record follows from the recipient: those who see a direct message take part in it, so they have a record. */
function isDerivedRecord(message: IndexedMessage, isReceived: ReturnType<typeof receivedReader>): boolean {
  const recipient = recipientOf(message.recipientId)
  return recipient.kind !== 'channel' || isReceived(message, recipient.id)
}

/** Returns flags that are stored once with the message, for all who received it. */
function sharedFlags(message: IndexedMessage, user: User, sparse: number): number {
  const called = mentionsReceiver(message, user, sparse) ? FLAG_BIT.stream_wildcard_mentioned : 0
  return called | inheritedHistory(message, user)
}

/**
 * Whether the message was sent before the account was made, and given to it as history
 * (docs/interface/organization.md#change-settings). Imported messages count as received by the users of the source.
 */
function inheritedHistory({ topicId, sentAt, bits }: IndexedMessage, { joinedAt }: User): number {
  const isInherited = topicId > 0 && sentAt < joinedAt && (bits & MESSAGE_BIT.isImported) === 0
  return isInherited ? FLAG_BIT.historical : 0
}

/** Returns the names of a record's flags, in the form for clients. */
function recordedFlags(bits: number, read: boolean): string[] {
  const names: string[] = flagNames(bits)
  if (read) names.unshift('read')
  if (names.includes('stream_wildcard_mentioned') || names.includes('topic_wildcard_mentioned')) {
    names.push('wildcard_mentioned')
  }
  return names
}

/** Returns a user's own row of flags for a message; undefined without one. */
export type FlagReader = (messageId: number) => number | undefined

/** Number of neighbouring ids whose rows are read together. */
const IDS_AT_ONCE = 256

/** Reads a user's flags of messages that are looked at in order: most have no row, which is found out for many at a time. */
export function flagReader(sql: Sql, userId: number): FlagReader {
  let known: { first: number; bits: Map<number, number> } | undefined
  return (messageId) => {
    const first = messageId - (messageId % IDS_AT_ONCE)
    if (known?.first !== first) {
      known = { first, bits: flagBitsBetween(sql, userId, first, first + IDS_AT_ONCE - 1) }
    }
    return known.bits.get(messageId)
  }
}

/**
 * Whether the message counts among a user's unread mentions: personal ones always do, wildcard mentions only if the topic
 * is not muted. `sparse`: the user's own row of flags. Source: docs/interface/reading.md#unread-messages.
 */
export function isUnreadMention(
  message: Pick<IndexedMessage, 'bits' | 'topicId' | 'sentAt'>,
  user: Pick<User, 'joinedAt'>,
  sparse: number,
  isMuted: boolean,
): boolean {
  if ((sparse & FLAG_BIT.mentioned) !== 0) return true
  const isWildcard =
    mentionsReceiver(message, user, sparse) ||
    (sparse & (FLAG_BIT.topic_wildcard_mentioned | FLAG_BIT.stream_wildcard_mentioned)) !== 0
  return isWildcard && !isMuted
}

/**
 * Whether the message mentions everyone in its channel, including this user, who has a record of it. Users who found it
 * later, got it by a move, or have a younger account were not mentioned. `sparse`: the user's own row of flags. Source:
 * docs/interface/messages.md#send-a-message;
 * docs/interface/access.md#a-new-organization; docs/interface/messages.md#edit-or-move-a-message.
 */
export function mentionsReceiver(
  { topicId, bits, sentAt }: Pick<IndexedMessage, 'topicId' | 'bits' | 'sentAt'>,
  { joinedAt }: Pick<User, 'joinedAt'>,
  sparse: number,
): boolean {
  const isWildcard = topicId > 0 && (bits & MESSAGE_BIT.channelWildcard) !== 0
  return isWildcard && (sparse & (FLAG_BIT.historical | UNMENTIONED_BIT)) === 0 && sentAt >= joinedAt
}
