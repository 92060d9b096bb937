import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { insertTopicMove } from './message-move-rows.ts'
import { newestMessageOfTopic } from './message-rows.ts'
import type { PlannedMove } from './plan-edit.ts'
import { deleteTopicRow, findTopic, renameTopic, topicById } from './topic-rows.ts'

/**
 * Gives a topic another name, where all of its messages go to one in the same channel in which there is nothing: the
 * topic keeps its row and the messages theirs, so that a hundred thousand cost what one costs. False where it is not so.
 *
 * `upTo`: the newest message; `seq`: the log id of the move's event.
 */
export function moveWholeTopic(
  tx: RealmTransaction,
  userId: number,
  { from, to, oldTopic, newTopic, ...move }: PlannedMove,
  upTo: number,
  seq: number,
): boolean {
  if (from.id !== to.id) return false
  const there = findTopic(tx.sql, to.id, newTopic)
  const isOther = there !== undefined && there.id !== oldTopic.id
  if (isOther && newestMessageOfTopic(tx.sql, there.id) !== undefined) return false
  if (isOther) deleteTopicRow(tx.sql, there.id)
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
  return true
}
