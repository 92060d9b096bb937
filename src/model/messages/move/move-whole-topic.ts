import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import { newestMessageOfTopic } from '../../../store/messages/message-rows.ts'
import { insertTopicMove } from '../../../store/messages/move/message-move-rows.ts'
import { isSpelledOtherwise } from '../../../store/messages/move/topic-message-rows.ts'
import {
  deleteTopicRow,
  findTopic,
  renameTopic,
  type Topic,
  topicById,
} from '../../../store/messages/topic-rows.ts'
import type { PlannedMove } from '../edit/plan-edit.ts'

/**
 * Whether the messages of a topic stay in their channel and get a name that no other message has there. Then,
 * if all of them are moved, the topic keeps its row and is renamed. `there`: the present topic of the new name.
 * A move into the present channel without a new name keeps the spelling of each message, which one new name for
 * all would not allow.
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

/**
 * Renames a topic, so that a hundred thousand messages cost what one costs: they stay as they are, and point
 * to it. `upTo`: the newest of them; `seq`: the log id of the move's event.
 */
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
