import type { Sql } from '../../../core/sql.ts'
import type { IndexedMessage } from '../../../store/messages/message-rows.ts'
import {
  listMoveChains,
  listMovesOfTopics,
  type MessageMove,
  type MoveOfTopic,
} from '../../../store/messages/move/message-move-rows.ts'
import { type Topic, topicsById } from '../../../store/messages/topic-rows.ts'

type Moved = Pick<IndexedMessage, 'id' | 'topicId' | 'topicSpelling' | 'moveId'>

/** Returns each message's moves, newest first: its own, and its topics' while it was there. `topics`: the present ones, if read. */
export function movesOf(
  { sql }: { readonly sql: Sql },
  messages: readonly Moved[],
  topics: ReadonlyMap<number, Topic> = topicsById(sql, [...new Set(messages.map(({ topicId }) => topicId))]),
): (message: Moved) => readonly MessageMove[] {
  const last = messages.flatMap(({ moveId }) => moveId ?? [])
  const chains = listMoveChains(sql, [...new Set(last)])
  const passed = [...chains.values()].flat().flatMap(({ fromTopicId }) => fromTopicId ?? [])
  const ofTopics = listMovesOfTopics(sql, movedTopics(topics, passed))
  return (message) => {
    const chain = message.moveId === null ? [] : (chains.get(message.moveId) ?? [])
    if (ofTopics.size === 0) return chain
    const moves: MessageMove[] = []
    let stay: Stay = {
      topicId: message.topicId,
      spelling: message.topicSpelling,
      until: Number.MAX_SAFE_INTEGER,
    }
    for (const move of chain) {
      moves.push(...movesWithTopic(ofTopics, message.id, stay, move.id), move)
      stay = { topicId: move.fromTopicId, spelling: move.fromSpelling, until: move.id }
    }
    moves.push(...movesWithTopic(ofTopics, message.id, stay, 0))
    return moves
  }
}

/** Returns the present and former topics of messages that have moved as a whole. */
function movedTopics(topics: ReadonlyMap<number, Topic>, passed: readonly number[]): number[] {
  const moved = [...topics.values()].flatMap(({ id, moved }) => (moved ? [id] : []))
  return [...new Set([...moved, ...passed])]
}

/** A message's time in a topic. */
interface Stay {
  readonly topicId: number | null
  /** Spelling of the topic in the message's own row; null where it was the topic's own. */
  readonly spelling: string | null
  /** The move that ended it. */
  readonly until: number
}

/** Returns the moves of a topic, newest first, after `since`, which brought the message there. */
function movesWithTopic(
  ofTopics: ReadonlyMap<number, readonly MoveOfTopic[]>,
  messageId: number,
  { topicId, spelling, until }: Stay,
  since: number,
): MessageMove[] {
  const all = topicId === null ? undefined : ofTopics.get(topicId)
  if (!all) return []
  const moves: MessageMove[] = all.filter(({ id, upTo }) => id > since && id < until && messageId <= upTo)
  // After the first of them, the message has the topic's spelling.
  if (moves[0] && spelling !== null) moves[0] = { ...moves[0], prevTopic: spelling }
  return moves.reverse()
}
