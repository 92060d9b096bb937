import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import { channelRecipientId } from '../../../core/recipient-id.ts'
import { changeChannel, findChannel } from '../../../store/channels/channel-rows.ts'
import { newestMessageOfTopic } from '../../../store/messages/message-rows.ts'
import {
  insertTopicMove,
  moveMessages,
  rangesBetween,
} from '../../../store/messages/move/message-move-rows.ts'
import {
  deleteFlagsOfOthers,
  isSpelledOtherwise,
  oldestMessageTo,
} from '../../../store/messages/move/topic-message-rows.ts'
import {
  deleteTopicRow,
  findTopic,
  renameTopic,
  type Topic,
  topicById,
} from '../../../store/messages/topic-rows.ts'
import type { PlannedMove } from '../plan-edit.ts'
import { type MarkedRead, readForNewMembers } from './read-for-new-members.ts'

/**
 * Moves messages to another topic, in the same channel or another one, and decides who has them afterwards
 * (docs/interface/messages.md#what-moves). Flags of users who are not subscribed to the target are deleted. Who has
 * received the messages follows from the move itself (store/subscriptions/moved-ranges.ts); where the target has
 * protected history, its subscribers have, and for those who did not have them before they are read.
 *
 * `ids` ascending; `seq`: the log id of the move's event; `markedRead`: what earlier commits have marked as read for it.
 */
export function carryOutMove(
  tx: RealmTransaction,
  userId: number,
  move: PlannedMove,
  newTopic: Topic,
  ids: readonly number[],
  seq: number,
  markedRead?: MarkedRead,
): void {
  const { from, to, oldTopic } = move
  const recipient = channelRecipientId(to.id)
  const crosses = from.id !== to.id
  const isProtected = !to.historyPublicToSubscribers
  const ranges = crosses ? rangesBetween(tx.sql, recipient, ids) : null
  if (crosses) {
    deleteFlagsOfOthers(tx.sql, ids, to.id)
    if (isProtected) readForNewMembers(tx, from, to, ids, markedRead)
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

function keepFirstMessage(tx: RealmTransaction, channelId: number): void {
  const firstMessageId = oldestMessageTo(tx.sql, channelRecipientId(channelId))
  if (findChannel(tx.sql, channelId)!.firstMessageId === firstMessageId) return
  changeChannel(tx.sql, channelId, { firstMessageId })
}

/**
 * Whether the messages of a topic stay in their channel and get a name that no other message has there. Then, if all of
 * them move, the topic keeps its row and is renamed. `there`: the present topic with the new name. A move into the
 * present channel without a new name keeps the spelling of each message, so it is no renaming if they differ.
 */
export function mayTakeOtherName(
  { sql }: Pick<RealmReads, 'sql'>,
  { from, to, oldTopic, newTopic, changesTopic }: PlannedMove,
  there: Topic | undefined,
): boolean {
  if (from.id !== to.id) return false
  if (!changesTopic && isSpelledOtherwise(sql, oldTopic.id, newTopic)) return false
  return !there || there.id === oldTopic.id || newestMessageOfTopic(sql, there.id) === undefined
}

/** Renames a topic, at the same cost for any number of messages. `upTo`: its newest message; `seq`: the log id of the event. */
export function moveWholeTopic(
  tx: RealmTransaction,
  userId: number,
  { from, to, oldTopic, newTopic, ...move }: PlannedMove,
  upTo: number,
  seq: number,
): void {
  const there = findTopic(tx.sql, to.id, newTopic)
  if (there && there.id !== oldTopic.id) deleteTopicRow(tx.sql, there.id)
  const moveId = insertTopicMove(tx.sql, {
    topicId: oldTopic.id,
    upTo,
    userId,
    at: tx.now,
    seq,
    prevTopic: move.changesTopic ? topicById(tx.sql, oldTopic.id)!.name : null,
    topic: move.changesTopic ? newTopic : null,
    prevChannelId: move.changesChannel ? from.id : null,
    channelId: move.changesChannel ? to.id : null,
    movedAt: move.isToggle && !move.changesChannel ? null : tx.now,
    subscribersReceived: false,
  })
  renameTopic(tx.sql, oldTopic.id, newTopic, moveId, upTo)
}
