import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import type { Channel } from '../../channels/channel-rows.ts'
import {
  type CameTogether,
  groupByArrival,
  presentSubscribersSince,
  receivedReader,
} from '../../subscriptions/period-rows.ts'
import { subscriberIdsWithClosed } from '../../subscriptions/subscription-rows.ts'
import { findUsers, type User } from '../../users/user-rows.ts'
import { flagBitsOf, putFlagBits } from '../flags/flag-rows.ts'
import { MESSAGE_BIT, UNMENTIONED_BIT } from '../flags/message-bits.ts'
import { ReadSet, usersWhoHaveRead } from '../flags/read-rows.ts'
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
  for (const user of findUsers(tx.sql, lacking).values()) {
    if (!haveRead.has(user.id)) {
      const read = new ReadSet(tx.sql, user)
      for (const id of idsWithoutRecord(tx, user, from, messages)) read.add(id)
      read.save(tx.sql)
    }
    for (const id of idsWithoutRecord(tx, user, from, calling)) {
      putFlagBits(tx.sql, user.id, id, UNMENTIONED_BIT)
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

function idsWithoutRecord(
  { sql }: RealmReads,
  user: User,
  from: Channel,
  messages: readonly IndexedMessage[],
): number[] {
  if (messages.length === 0) return []
  const ids = messages.map(({ id }) => id)
  const sparse = flagBitsOf(sql, user.id, ids)
  const isReceived = receivedReader(sql, user.id)
  return messages
    .filter((message) => !sparse.has(message.id) && !isReceived(message, from.id))
    .map(({ id }) => id)
}
