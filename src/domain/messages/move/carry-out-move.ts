import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import { channelRecipientId } from '../../../core/recipient-id.ts'
import { type Channel, changeChannel, findChannel } from '../../channels/channel-rows.ts'
import { receivedReader } from '../../subscriptions/period-rows.ts'
import { subscriberIdsWithClosed } from '../../subscriptions/subscription-rows.ts'
import { findUsers, type User } from '../../users/user-rows.ts'
import type { PlannedMove } from '../edit/plan-edit.ts'
import { flagBitsOf, putFlagBits } from '../flags/flag-rows.ts'
import { MESSAGE_BIT, UNMENTIONED_BIT } from '../flags/message-bits.ts'
import { ReadSet } from '../flags/read-rows.ts'
import { findMessages, type IndexedMessage } from '../message-rows.ts'
import type { Topic } from '../topic-rows.ts'
import { moveMessages, rangesBetween } from './message-move-rows.ts'
import { deleteFlagsOfOthers, oldestMessageTo } from './topic-message-rows.ts'

/**
 * Moves messages to another topic, in the same channel or another one, and decides who has them afterwards
 * (docs/interface/messages.md#what-moves): flags of users who are not subscribed to the target are deleted,
 * all others stay. Who has received them follows from the move itself (domain/subscriptions/moved-ranges.ts); where the target has
 * protected history its subscribers have, and those who did not have them before have read them.
 *
 * `ids` ascending; `seq` is the log id of the move's event.
 */
export function carryOutMove(
  tx: RealmTransaction,
  userId: number,
  move: PlannedMove,
  newTopic: Topic,
  ids: readonly number[],
  seq: number,
): void {
  const { from, to, oldTopic } = move
  const recipient = channelRecipientId(to.id)
  const crosses = from.id !== to.id
  const isProtected = !to.historyPublicToSubscribers
  const ranges = crosses ? rangesBetween(tx.sql, recipient, ids) : null
  if (crosses) {
    if (isProtected) readForNewcomers(tx, from, to, ids)
    deleteFlagsOfOthers(tx.sql, ids, to.id)
  }
  moveMessages(
    tx.sql,
    ids,
    {
      userId,
      at: tx.now,
      seq,
      topic: move.changesTopic ? move.newTopic : null,
      ...(move.changesChannel
        ? { prevChannelId: from.id, channelId: to.id }
        : { prevChannelId: null, channelId: null }),
      subscribersReceived: crosses && isProtected,
    },
    {
      ...(newTopic.id === oldTopic.id ? {} : { topicId: newTopic.id }),
      topicName: newTopic.name,
      ...(crosses ? { recipientId: recipient } : {}),
      ...(move.isToggle && !move.changesChannel ? {} : { movedAt: tx.now }),
    },
    ranges,
  )
  if (crosses) for (const { id } of [from, to]) keepFirstMessage(tx, id)
}

/**
 * Marks messages as read for subscribers of the target who have had no record of them. A mention of everybody
 * was not for them, which needs a row where there is one.
 */
function readForNewcomers(tx: RealmTransaction, from: Channel, to: Channel, ids: readonly number[]): void {
  const messages = findMessages(tx.sql, ids)
  const calling = new Set(
    messages.filter(({ bits }) => (bits & MESSAGE_BIT.channelWildcard) !== 0).map(({ id }) => id),
  )
  for (const user of findUsers(tx.sql, subscriberIdsWithClosed(tx.sql, to.id)).values()) {
    const read = new ReadSet(tx.sql, user).loadAll()
    for (const id of idsWithoutRecord(tx, user, from, messages)) {
      read.add(id)
      if (calling.has(id)) putFlagBits(tx.sql, user.id, id, UNMENTIONED_BIT)
    }
    read.save(tx.sql)
  }
}

function idsWithoutRecord(
  { sql }: RealmReads,
  user: User,
  from: Channel,
  messages: readonly IndexedMessage[],
): number[] {
  const ids = messages.map(({ id }) => id)
  const sparse = flagBitsOf(sql, user.id, ids)
  const isReceived = receivedReader(sql, user.id)
  return messages
    .filter((message) => !sparse.has(message.id) && !isReceived(message, from.id))
    .map(({ id }) => id)
}

function keepFirstMessage(tx: RealmTransaction, channelId: number): void {
  const firstMessageId = oldestMessageTo(tx.sql, channelRecipientId(channelId))
  if (findChannel(tx.sql, channelId)!.firstMessageId === firstMessageId) return
  changeChannel(tx.sql, channelId, { firstMessageId })
  // This change emits no event.
  tx.forgetRemembered()
}
