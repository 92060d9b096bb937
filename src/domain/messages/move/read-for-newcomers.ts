import { READ_AHEAD_IN_ONE_COMMIT } from '../../../core/commit-budgets.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import type { Channel } from '../../channels/channel-rows.ts'
import {
  type CameTogether,
  groupByArrival,
  presentSubscribersFrom,
  presentSubscribersSince,
} from '../../subscriptions/period-rows.ts'
import { receivedByMany } from '../../subscriptions/periods-of-many-rows.ts'
import { subscriberIdsWithClosed } from '../../subscriptions/subscription-rows.ts'
import { putFlagBits } from '../flags/flag-rows.ts'
import { MESSAGE_BIT, UNMENTIONED_BIT } from '../flags/message-bits.ts'
import { flaggedByMany, readByMany } from '../flags/read-by-many-rows.ts'
import { blockOf, usersWhoHaveRead } from '../flags/read-rows.ts'
import { findMessages, type IndexedMessage } from '../message-rows.ts'
import { isMovedSince } from './message-move-rows.ts'

/** What commits before a move have marked as read for subscribers of the target who have no record of the messages. */
export interface ReadAhead {
  /** The newest entry of the log when the first of these commits was made. */
  readonly since: number
  /** The messages, ascending. */
  readonly ids: readonly number[]
  /** Newcomers up to this user id have read them. */
  readonly upTo: number
}

/** A move whose messages may be marked as read ahead of it. */
interface ComingMove {
  readonly plan: { readonly from: Channel; readonly to: Channel }
  readonly ids: readonly number[]
  readonly readAhead: ReadAhead | undefined
}

/**
 * Marks messages as read for the next newcomers, in a commit before the one that moves them, where all are too many for one. Nobody
 * can see it, since bits of messages that a user has not received do not matter. Returns undefined when the move can be made: the
 * rest fits into its commit, or what was marked no longer fits the messages (then its commit marks them for all, so that it comes to
 * an end in a topic that never rests).
 */
export function readAheadOfMove(
  tx: RealmTransaction,
  { plan: { from, to }, ids, readAhead: before }: ComingMove,
): ReadAhead | undefined {
  if (from.id === to.id || to.historyPublicToSubscribers) return undefined
  if (before && !isStillSo(tx.sql, before, ids)) return undefined
  const messages = findMessages(tx.sql, ids)
  const others = possibleNewcomers(tx.sql, from, to, messages).filter((id) => id > (before?.upTo ?? 0))
  const haveRead = usersWhoHaveRead(tx.sql, others, ids[0]!, ids.at(-1)!)
  const unread = others.filter((id) => !haveRead.has(id))
  const { blocks, leastPart } = READ_AHEAD_IN_ONE_COMMIT
  const blocksOfEach = new Set(ids.map(blockOf)).size
  if (unread.length * blocksOfEach <= blocks) return undefined
  // Everybody has a block to write, or some of them, since messages below the floor are read.
  const next = unread.slice(0, Math.max(blocks, Math.ceil(unread.length * leastPart)))
  const withoutRecord = unrecorded(tx.sql, next, from, messages)
  const atOnce = Math.max(Math.floor(blocks / blocksOfEach / 4), 1)
  let [at, spent] = [0, 0]
  while (at < next.length && (spent < blocks || at < unread.length * leastPart)) {
    spent += readByMany(tx.sql, next.slice(at, at + atOnce), ids, withoutRecord)
    at += atOnce
  }
  return { since: before?.since ?? tx.lastEventId(), ids, upTo: next[Math.min(at, next.length) - 1]! }
}

/** Whether the messages are the same, and nobody has lost the record of one, which only a move can cause. */
function isStillSo(sql: Sql, { since, ids }: ReadAhead, now: readonly number[]): boolean {
  return ids.join() === now.join() && !isMovedSince(sql, since)
}

/**
 * Marks messages as read for subscribers of the target who have had no record of them. A mention of everybody
 * was not for them, which needs a row where there is one. Most subscribers have received or read all of the messages, and are found
 * together.
 *
 * `ids` ascending; `readAhead`: what commits before this one have marked, but for those who have subscribed since.
 */
export function readForNewcomers(
  tx: RealmTransaction,
  from: Channel,
  to: Channel,
  ids: readonly number[],
  readAhead?: ReadAhead,
): void {
  const messages = findMessages(tx.sql, ids)
  const others = possibleNewcomers(tx.sql, from, to, messages)
  const calling = messages.filter(({ bits }) => (bits & MESSAGE_BIT.channelWildcard) !== 0)
  const haveRead = usersWhoHaveRead(tx.sql, others, ids[0]!, ids.at(-1)!)
  if (readAhead && isStillSo(tx.sql, readAhead, ids)) {
    const since = presentSubscribersFrom(tx.sql, to.id, readAhead.since)
    for (const id of others) if (id <= readAhead.upTo && !since.has(id)) haveRead.add(id)
  }
  const lacking = others.filter((id) => calling.length > 0 || !haveRead.has(id))
  if (lacking.length === 0) return
  const withoutRecord = unrecorded(tx.sql, lacking, from, messages)
  const unread = lacking.filter((id) => !haveRead.has(id))
  readByMany(tx.sql, unread, ids, withoutRecord)
  if (calling.length === 0) return
  const areCalling = new Set(calling.map(({ id }) => id))
  for (const userId of lacking) {
    for (const id of withoutRecord(userId)) {
      if (areCalling.has(id)) putFlagBits(tx.sql, userId, id, UNMENTIONED_BIT)
    }
  }
}

/** Returns subscribers of the target but for those who have all of these messages for certain, ascending. */
function possibleNewcomers(
  sql: Sql,
  from: Channel,
  to: Channel,
  messages: readonly IndexedMessage[],
): readonly number[] {
  const receivers = certainReceivers(sql, from.id, messages)
  return subscriberIdsWithClosed(sql, to.id).filter((id) => !receivers.has(id))
}

/** Returns users who have all of these messages of the channel for certain, since they have stayed where these went. Others may too. */
function certainReceivers(
  sql: Sql,
  channelId: number,
  messages: readonly IndexedMessage[],
): ReadonlySet<number> {
  return groupByArrival(sql, channelId, messages)
    .map((group) => receiversOf(sql, channelId, group))
    .reduce(inBoth)
}

function receiversOf(
  sql: Sql,
  channelId: number,
  { chain = [], messageIds }: CameTogether,
): ReadonlySet<number> {
  const steps = chain.filter((step) => step.channelId !== null).toReversed()
  const oldest = messageIds.reduce((lowest, id) => Math.min(lowest, id))
  const origin = presentSubscribersSince(sql, steps[0]?.prevChannelId ?? channelId, { message: oldest })
  return steps.reduce((held, step) => {
    const there = presentSubscribersSince(sql, step.channelId!, { event: step.seq })
    return step.subscribersReceived ? there : inBoth(held, there)
  }, origin)
}

function inBoth(some: ReadonlySet<number>, others: ReadonlySet<number>): ReadonlySet<number> {
  return new Set([...some].filter((id) => others.has(id)))
}

/** Returns a function that says of which messages of the channel each of the users has no record. */
function unrecorded(
  sql: Sql,
  userIds: readonly number[],
  from: Channel,
  messages: readonly IndexedMessage[],
): (userId: number) => readonly number[] {
  const all = messages.map(({ id }) => id).sort((a, b) => a - b)
  const flagged = flaggedByMany(sql, userIds, all)
  const receivedBy = receivedByMany(sql, from.id, messages, userIds)
  return (userId) => {
    const received = new Set(receivedBy(userId))
    const flags = flagged.get(userId)
    if (received.size === 0 && !flags) return all
    return all.filter((id) => !received.has(id) && !flags?.has(id))
  }
}
