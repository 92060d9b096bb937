import type { RealmView } from '../../../core/realm-transaction.ts'
import { remember } from '../../../core/remember.ts'
import { mayAccessChannelContent } from '../../../rules/channel-rules.ts'
import { findChannel } from '../../../store/channels/channel-rows.ts'
import type { MessageMove } from '../../../store/messages/move/message-move-rows.ts'
import { subscribedAtEvent } from '../../../store/subscriptions/period-rows.ts'
import { receivedBeforeReader } from '../../../store/subscriptions/received-range-rows.ts'
import { isSubscribed } from '../../../store/subscriptions/subscriber-rows.ts'
import type { Viewer } from './message-access.ts'

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
