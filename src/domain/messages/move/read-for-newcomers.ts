import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import type { Channel } from '../../channels/channel-rows.ts'
import {
  type CameTogether,
  groupByArrival,
  presentSubscribersSince,
} from '../../subscriptions/period-rows.ts'
import { receivedByMany } from '../../subscriptions/periods-of-many-rows.ts'
import { subscriberIdsWithClosed } from '../../subscriptions/subscription-rows.ts'
import { putFlagBits } from '../flags/flag-rows.ts'
import { MESSAGE_BIT, UNMENTIONED_BIT } from '../flags/message-bits.ts'
import { flaggedByMany, readByMany } from '../flags/read-by-many-rows.ts'
import { usersWhoHaveRead } from '../flags/read-rows.ts'
import { findMessages, type IndexedMessage } from '../message-rows.ts'

/**
 * Marks messages as read for subscribers of the target who have had no record of them. A mention of everybody
 * was not for them, which needs a row where there is one. Most subscribers have received or read all of the messages, and are found
 * together.
 *
 * `ids` ascending.
 */
export function readForNewcomers(
  tx: RealmTransaction,
  from: Channel,
  to: Channel,
  ids: readonly number[],
): void {
  const messages = findMessages(tx.sql, ids)
  const receivers = certainReceivers(tx.sql, from.id, messages)
  const others = subscriberIdsWithClosed(tx.sql, to.id).filter((id) => !receivers.has(id))
  const calling = messages.filter(({ bits }) => (bits & MESSAGE_BIT.channelWildcard) !== 0)
  const haveRead = usersWhoHaveRead(tx.sql, others, ids[0]!, ids.at(-1)!)
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
