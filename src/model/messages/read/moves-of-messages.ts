import type { RealmView } from '../../../core/realm-transaction.ts'
import { remember } from '../../../core/remember.ts'
import type { Sql } from '../../../core/sql.ts'
import { mayAccessChannelContent } from '../../../rules/channel-rules.ts'
import { findChannel } from '../../../store/channels/channel-rows.ts'
import type { IndexedMessage } from '../../../store/messages/message-rows.ts'
import {
  listMoveChains,
  listMovesOfTopics,
  type MessageMove,
  type MoveOfTopic,
} from '../../../store/messages/move/message-move-rows.ts'
import { type Topic, topicsById } from '../../../store/messages/topic-rows.ts'
import { subscribedAtEvent } from '../../../store/subscriptions/period-rows.ts'
import { receivedBeforeReader } from '../../../store/subscriptions/received-range-rows.ts'
import { isSubscribed } from '../../../store/subscriptions/subscriber-rows.ts'
import type { Viewer } from './message-access.ts'

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

/** The part of a message's history that a reader may see. */
export interface ReadableHistory {
  /** Newest first. */
  readonly moves: readonly MessageMove[]
  /** Log id up to which the reader must not see edits, which were made elsewhere. */
  readonly editsAfter?: number
}

/**
 * Says whether a reader could read a message in the channel that it left by the first of these moves, its last ones until then, newest
 * first.
 */
export type ReadBefore = (messageId: number, until: readonly MessageMove[]) => boolean

/**
 * Returns the history since the message was last where the reader could not read it: texts and topics that it had there stay hidden.
 * `moves`: all, newest first. Source: docs/interface/messages.md#edit-history.
 */
export function readableHistory(
  messageId: number,
  moves: readonly MessageMove[],
  couldRead: ReadBefore,
): ReadableHistory {
  const arrival = moves.findIndex(
    ({ prevChannelId }, at) => prevChannelId !== null && !couldRead(messageId, moves.slice(at)),
  )
  return arrival < 0 ? { moves } : { moves: moves.slice(0, arrival), editsAfter: moves[arrival]!.seq }
}

/**
 * Returns what one viewer could read: the messages of channels that they may read now, or were subscribed to when the message left, and
 * with protected history only those that they have received.
 */
export function readBeforeBy({ sql }: Pick<RealmView, 'sql'>, { user, actor }: Viewer): ReadBefore {
  const channelOf = remember((channelId: number) => findChannel(sql, channelId))
  const mayReadNow = remember((channelId: number) => {
    const channel = channelOf(channelId)
    return (
      channel !== undefined && mayAccessChannelContent(actor, channel, isSubscribed(sql, channelId, user.id))
    )
  })
  const hadReceived = receivedBeforeReader(sql, user.id)
  return (messageId, until) => {
    const { prevChannelId, seq } = until[0]!
    const channel = channelOf(prevChannelId!)
    if (!channel) return false
    if (!mayReadNow(channel.id) && !subscribedAtEvent(sql, channel.id, user.id, seq)) return false
    return channel.historyPublicToSubscribers || hadReceived(messageId, until)
  }
}
