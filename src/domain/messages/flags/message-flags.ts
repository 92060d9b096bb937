import type { RealmView } from '../../../core/realm-transaction.ts'
import { recipientOf } from '../../../core/recipient-id.ts'
import { receivedReader } from '../../subscriptions/period-rows.ts'
import type { User } from '../../users/user-rows.ts'
import type { IndexedMessage } from '../message-rows.ts'
import { flagBitsByUser, flagBitsOf } from './flag-rows.ts'
import { FLAG_BIT, flagNames, MESSAGE_BIT } from './message-bits.ts'
import { ReadSet } from './read-rows.ts'
import { mentionsReceiver } from './wildcard-mention.ts'

/** The flags of a message that was never received. */
const WITHOUT_RECORD = ['read', 'historical']

/**
 * The viewer's flags of each message, by id, as clients see them. A message without a personal record is
 * read and historical. Asks nothing about access. Source: docs/interface/access.md#messages; docs/interface/messages.md#get-a-message; docs/interface/reading.md#flags.
 */
export function flagsOf(
  { sql }: Pick<RealmView, 'sql'>,
  { user }: { readonly user: User },
  messages: readonly IndexedMessage[],
): Map<number, string[]> {
  const sparse = flagBitsOf(
    sql,
    user.id,
    messages.map(({ id }) => id),
  )
  const read = new ReadSet(sql, user)
  if (messages.length > 1) read.loadAll()
  const isReceived = receivedReader(sql, user.id)
  return new Map(
    messages.map((message) => {
      const received = isDerivedRecord(message, isReceived)
      const own = sparse.get(message.id)
      if (own === undefined && !received) return [message.id, [...WITHOUT_RECORD]]
      const derived = received ? sharedFlags(message, user, own ?? 0) : 0
      return [message.id, recordedFlags((own ?? 0) | derived, isRead(message, user, read))]
    }),
  )
}

/** The flags of one message for many users who all have a record of it: user id → names. */
export function flagsOfHolders(
  { sql }: Pick<RealmView, 'sql'>,
  message: IndexedMessage,
  holders: Iterable<User>,
): Map<number, string[]> {
  const sparse = flagBitsByUser(sql, message.id)
  return new Map(
    Array.from(holders, (user) => {
      const own = sparse.get(user.id) ?? 0
      const bits = own | sharedFlags(message, user, own)
      return [user.id, recordedFlags(bits, isRead(message, user, new ReadSet(sql, user)))]
    }),
  )
}

/**
 * Does the user's own set say read, was it sent by the user from a client with an interface, or did it
 * arrive read?
 */
export function isRead(
  message: Pick<IndexedMessage, 'id' | 'senderId' | 'bits'>,
  user: Pick<User, 'id'>,
  read: ReadSet,
): boolean {
  if (read.has(message.id)) return true
  if (message.senderId === user.id && (message.bits & MESSAGE_BIT.readBySender) !== 0) return true
  return (message.bits & MESSAGE_BIT.arrivesRead) !== 0 && !read.isUnreadException(message.id)
}

/**
 * Whether the record follows from the recipient: nobody sees a direct message who does not take part in it, so that one always
 * has a record.
 */
function isDerivedRecord(message: IndexedMessage, isReceived: ReturnType<typeof receivedReader>): boolean {
  const recipient = recipientOf(message.recipientId)
  return recipient.kind !== 'channel' || isReceived(message, recipient.id)
}

/** A wildcard mention is kept once, with the message, for all who received it. */
function sharedFlags(message: IndexedMessage, user: User, sparse: number): number {
  const called = mentionsReceiver(message, user, sparse) ? FLAG_BIT.stream_wildcard_mentioned : 0
  return called | inheritedHistory(message, user)
}

/**
 * Whether the message is history that a new account finds: sent before the account was made
 * (docs/interface/organization.md#change-settings).
 */
function inheritedHistory({ topicId, sentAt }: IndexedMessage, { joinedAt }: User): number {
  return topicId > 0 && sentAt < joinedAt ? FLAG_BIT.historical : 0
}

/** The names of flags in a record, as clients see them. */
function recordedFlags(bits: number, read: boolean): string[] {
  const names: string[] = flagNames(bits)
  if (read) names.unshift('read')
  if (names.includes('stream_wildcard_mentioned') || names.includes('topic_wildcard_mentioned')) {
    names.push('wildcard_mentioned')
  }
  return names
}
