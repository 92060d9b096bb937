import { ENTRIES_AT_ONCE, ROWS_OF_SLICE } from '../../../core/budgets.ts'
import type { IdSet } from '../../../core/id-set.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import type { Channel } from '../../../store/channels/channel-rows.ts'
import { putFlagBitsOfUsers } from '../../../store/messages/flags/flag-rows.ts'
import { MESSAGE_BIT, UNMENTIONED_BIT } from '../../../store/messages/flags/message-bits.ts'
import { blockOf } from '../../../store/messages/flags/message-id-set.ts'
import { flaggedByMany, readByMany, usersWhoHaveRead } from '../../../store/messages/flags/read-rows.ts'
import { findMessages, type IndexedMessage } from '../../../store/messages/message-rows.ts'
import { isAnyMovedSince } from '../../../store/messages/move/message-move-rows.ts'
import { presentSubscribersSince } from '../../../store/subscriptions/period-rows.ts'
import { receivedByMany } from '../../../store/subscriptions/periods-of-many-rows.ts'
import { type CameTogether, groupByArrival } from '../../../store/subscriptions/received-range-rows.ts'
import { subscribersOf } from '../../../store/subscriptions/subscriber-rows.ts'

/** The part of the new members that each commit handles in any case, so that every move ends. */
const LEAST_PART = 1 / 40

/** Messages that commits before a move marked as read for new members: subscribers of the target without a record of them. */
export interface MarkedRead {
  /** The newest entry of the log when the first of these commits was made. */
  readonly since: number
  readonly ids: readonly number[]
  /** The user id up to which new members have read them. */
  readonly upTo: number
}

/** A move whose messages may be marked as read before it. */
interface ComingMove {
  readonly plan: { readonly from: Channel; readonly to: Channel }
  readonly ids: readonly number[]
  readonly markedRead: MarkedRead | undefined
}

/**
 * Marks messages as read for the next new members, in a commit before the move, where they are too many for one. No one sees
 * this, since the read set does not matter for messages that a user has not received. Returns undefined when the rest fits
 * into the commit of the move. If the marks are out of date, or too many have subscribed since, it begins again.
 */
export function markReadBeforeMove(
  tx: RealmTransaction,
  { plan: { from, to }, ids, markedRead: before }: ComingMove,
): MarkedRead | undefined {
  if (!givesToNewMembers(from, to)) return undefined
  const messages = findMessages(tx.sql, ids)
  const others = possibleNewMembers(tx.sql, from, to, messages)
  const haveRead = usersWhoHaveRead(tx.sql, others, ids[0]!, ids.at(-1)!)
  const unread = others.filter((id) => !haveRead.has(id))
  const marked = before && isStillSo(tx.sql, before, ids) ? before : undefined
  const isMarked = markedTest(tx.sql, to, marked)
  // A block takes some 20 µs to read or write.
  const blocks = ENTRIES_AT_ONCE
  const blocksOfEach = new Set(ids.map(blockOf)).size
  // The commit of the move also writes a row for each wildcard mention, which costs a tenth of a block.
  const mentions = messages.filter(mentionsEveryone).length * others.length
  const room = Math.max(blocks - mentions / 10, blocks / 4)
  const fits = (left: readonly number[]) => left.length * blocksOfEach <= room
  if (fits(unread.filter((id) => !isMarked(id)))) return undefined
  const later = marked ? unread.filter((id) => id > marked.upTo) : []
  const { since, left } =
    marked && !fits(later) ? { since: marked.since, left: later } : { since: tx.lastEventId(), left: unread }
  // Each of them has blocks to write, or none, since messages below the floor are read.
  const next = left.slice(0, Math.max(blocks, Math.ceil(left.length * LEAST_PART)))
  const withoutRecord = unrecorded(tx.sql, next, from, messages)
  const atOnce = Math.max(Math.floor(blocks / blocksOfEach / 4), 1)
  let [at, spent] = [0, 0]
  while (at < next.length && (spent < blocks || at < left.length * LEAST_PART)) {
    spent += readByMany(tx.sql, next.slice(at, at + atOnce), ids, withoutRecord)
    at += atOnce
  }
  return { since, ids, upTo: next[Math.min(at, next.length) - 1]! }
}

/** Whether a move gives its messages to users who have not received them. */
function givesToNewMembers(from: Channel, to: Channel): boolean {
  return from.id !== to.id && !to.historyPublicToSubscribers
}

/** Whether the messages are the same, and none has been moved, so that no one has lost a record of one. */
function isStillSo(sql: Sql, { since, ids }: MarkedRead, now: readonly number[]): boolean {
  return ids.join() === now.join() && !isAnyMovedSince(sql, ids, since)
}

/** Returns a test whether earlier commits have marked the messages for a user: not for those who have subscribed since. */
function markedTest(sql: Sql, to: Channel, marked: MarkedRead | undefined): (userId: number) => boolean {
  if (!marked) return () => false
  const were = presentSubscribersSince(sql, to.id, { event: marked.since })
  return (userId) => userId <= marked.upTo && were.has(userId)
}

/**
 * Returns as many of the newest of these messages as one commit can move: their wildcard mentions did not mean new members,
 * which takes a row for each of these. All of them, or at least one with a wildcard mention. `ids` ascending.
 */
export function mentioningAtOnce(
  sql: Sql,
  { from, to }: ComingMove['plan'],
  ids: readonly number[],
): readonly number[] {
  if (!givesToNewMembers(from, to)) return ids
  const messages = findMessages(sql, ids)
  const calling = messages.filter(mentionsEveryone)
  if (calling.length < 2) return ids
  const newMembers = possibleNewMembers(sql, from, to, messages).length
  const most = Math.max(Math.floor(ROWS_OF_SLICE / Math.max(newMembers, 1)), 1)
  if (calling.length <= most) return ids
  const above = calling.at(-most - 1)!.id
  return ids.filter((id) => id > above)
}

function mentionsEveryone({ bits }: IndexedMessage): boolean {
  return (bits & MESSAGE_BIT.channelWildcard) !== 0
}

/**
 * Marks messages as read for subscribers of the target who had no record of them. Wildcard mentions did not mean them,
 * which takes a row for each message with one. Most subscribers have received or read all of the messages, and are found
 * together.
 *
 * `ids` ascending; `markedRead`: what earlier commits have marked, except for those who have subscribed since.
 */
export function readForNewMembers(
  tx: RealmTransaction,
  from: Channel,
  to: Channel,
  ids: readonly number[],
  markedRead?: MarkedRead,
): void {
  const messages = findMessages(tx.sql, ids)
  const others = possibleNewMembers(tx.sql, from, to, messages)
  const haveRead = usersWhoHaveRead(tx.sql, others, ids[0]!, ids.at(-1)!)
  const isMarked = markedTest(
    tx.sql,
    to,
    markedRead && isStillSo(tx.sql, markedRead, ids) ? markedRead : undefined,
  )
  const unread = others.filter((id) => !haveRead.has(id) && !isMarked(id))
  const ofUnread = unrecorded(tx.sql, unread, from, messages)
  if (unread.length > 0) readByMany(tx.sql, unread, ids, ofUnread)
  const calling = messages.filter(mentionsEveryone)
  if (calling.length === 0) return
  const isUnread = new Set(unread)
  const ofOthers = unrecorded(
    tx.sql,
    others.filter((id) => !isUnread.has(id)),
    from,
    calling,
  )
  const lacking = new Map(calling.map(({ id }) => [id, new Map<number, number>()]))
  for (const userId of others) {
    const withoutRecord = isUnread.has(userId) ? ofUnread : ofOthers
    for (const id of withoutRecord(userId)) lacking.get(id)?.set(userId, UNMENTIONED_BIT)
  }
  for (const [id, bits] of lacking) putFlagBitsOfUsers(tx.sql, id, bits)
}

/** Returns the subscribers of the target, except those who certainly have all of these messages, ascending. */
function possibleNewMembers(
  sql: Sql,
  from: Channel,
  to: Channel,
  messages: readonly IndexedMessage[],
): readonly number[] {
  return subscribersOf(sql, to.id)
    .andNot(certainReceivers(sql, from.id, messages))
    .toArray()
}

/** Returns users who certainly have all of these messages, since they were subscribed wherever these went. Others may have them too. */
function certainReceivers(sql: Sql, channelId: number, messages: readonly IndexedMessage[]): IdSet {
  return groupByArrival(sql, channelId, messages)
    .map((group) => receiversOf(sql, channelId, group))
    .reduce((some, others) => some.and(others))
}

function receiversOf(sql: Sql, channelId: number, { chain = [], messageIds }: CameTogether): IdSet {
  const steps = chain.filter((step) => step.channelId !== null).toReversed()
  const oldest = messageIds.reduce((lowest, id) => Math.min(lowest, id))
  const origin = presentSubscribersSince(sql, steps[0]?.prevChannelId ?? channelId, { message: oldest })
  return steps.reduce((held, step) => {
    const there = presentSubscribersSince(sql, step.channelId!, { event: step.seq })
    return step.subscribersReceived ? there : held.and(there)
  }, origin)
}

/** Returns a function that returns the messages of the channel of which a user has no record. */
function unrecorded(
  sql: Sql,
  userIds: readonly number[],
  from: Channel,
  messages: readonly IndexedMessage[],
): (userId: number) => readonly number[] {
  const all = messages.map(({ id }) => id).sort((a, b) => a - b)
  const flagged = flaggedByMany(sql, userIds, all)
  const receivedBy = receivedByMany(sql, from.id, userIds)(messages)
  return (userId) => {
    const received = new Set(receivedBy(userId))
    const flags = flagged.get(userId)
    if (received.size === 0 && !flags) return all
    return all.filter((id) => !received.has(id) && !flags?.has(id))
  }
}
