import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { WritableSql } from '../../../core/sql.ts'
import { putEmptiedTopic } from '../../../store/messages/edit/emptied-topic-rows.ts'
import { newestMessageOfTopic, oldestMessageOfTopic } from '../../../store/messages/message-rows.ts'
import {
  deleteMove,
  findMoveToForget,
  isMoveOfAnyMessage,
  newestMoveOutOf,
  stripMove,
} from '../../../store/messages/move/forgotten-move-rows.ts'
import { listMovesOfTopics } from '../../../store/messages/move/message-move-rows.ts'
import { setMoveOfTopic, topicById } from '../../../store/messages/topic-rows.ts'
import { keepForATime } from '../../retention/forget-old-job.ts'

/**
 * Deletes the names of topics from moves that no message's history has any more, after these messages were
 * deleted: from their own moves, and from those of their topics as a whole. Moves still say who has received
 * other messages that came by them, without names.
 */
export function forgetMoves(
  tx: RealmTransaction,
  deleted: readonly { readonly topicId: number; readonly moveId: number | null }[],
): void {
  const topicIds = new Set(deleted.map(({ topicId }) => topicId))
  for (const moveId of new Set(deleted.flatMap(({ moveId }) => moveId ?? []))) {
    for (const left of forgetChain(tx.sql, moveId)) topicIds.add(left)
  }
  for (const topicId of topicIds) if (topicId > 0) forgetMovesOfTopic(tx.sql, topicId)
  // Also topics that a move has emptied: their names were kept for the history of the moved messages.
  noteEmptiedTopics(tx, topicIds)
}

/**
 * Forgets a move and those before it, up to one that a message still has. Returns the topics that the
 * messages had left by them.
 */
function forgetChain(sql: WritableSql, last: number): number[] {
  const left: number[] = []
  for (let id: number | null = last; id !== null && !isMoveOfAnyMessage(sql, id); ) {
    const move = findMoveToForget(sql, id)
    if (!move || move.isBeforeLiving) break
    if (move.fromTopicId !== null) left.push(move.fromTopicId)
    if (move.isNeeded) stripMove(sql, id)
    else deleteMove(sql, id)
    id = move.previousId
  }
  return left
}

/**
 * Forgets the moves of a topic in which no message took part that still exists, in the topic or moved out of
 * it since.
 */
function forgetMovesOfTopic(sql: WritableSql, topicId: number): void {
  const moves = listMovesOfTopics(sql, [topicId]).get(topicId)
  if (!moves) return
  const oldest = oldestMessageOfTopic(sql, topicId) ?? Number.MAX_SAFE_INTEGER
  const lastOut = newestMoveOutOf(sql, topicId) ?? 0
  const [gone, kept] = [moves.filter(isGone), moves.filter((move) => !isGone(move))]
  for (const { id } of gone) deleteMove(sql, id)
  const last = kept.at(-1)
  if (gone.length > 0 && topicById(sql, topicId)) {
    setMoveOfTopic(sql, topicId, last ? { moveId: last.id, upTo: last.upTo } : null)
  }

  function isGone({ id, upTo }: { readonly id: number; readonly upTo: number }): boolean {
    return upTo < oldest && lastOut < id
  }
}

/** Records topics that may have lost their last message: their names are deleted later, unless someone writes to them in time. */
function noteEmptiedTopics(tx: RealmTransaction, topicIds: Iterable<number>): void {
  for (const id of topicIds) {
    if (id <= 0 || newestMessageOfTopic(tx.sql, id) !== undefined) continue
    putEmptiedTopic(tx.sql, id, tx.now)
    keepForATime(tx)
  }
}
