import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredChannelPinsEvent } from '../../events/channel-pins.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import {
  countPins,
  deletePin,
  MAX_PINS,
  type Pin,
  pinOfTopic,
  pinsOfMessages,
  putPinIn,
} from '../../store/channels/pin-rows.ts'
import { newestMessageOfTopic } from '../../store/messages/message-rows.ts'
import { findTopic } from '../../store/messages/topic-rows.ts'
import { channelMetadataAudience } from '../channels/visibility/channel-audiences.ts'
import type { PlannedMove } from './plan-edit.ts'

/** Tells that the pins of a channel are others, but not which: each client asks for those that its user may see. */
export function announcePins(tx: RealmTransaction, channelId: number): void {
  const channel = findChannel(tx.sql, channelId)
  if (!channel) return
  const event: StoredChannelPinsEvent = { type: 'channel_pins', stream_id: channelId }
  tx.emit(event, channelMetadataAudience(tx, channel))
}

/** Removes the pins of messages that are deleted. */
export function dropPinsOfMessages(tx: RealmTransaction, messageIds: readonly number[]): void {
  drop(tx, pinsOfMessages(tx.sql, messageIds))
}

/** Removes the pin of a topic that has become empty. */
export function dropPinOfTopic(tx: RealmTransaction, topicId: number): void {
  const pin = pinOfTopic(tx.sql, topicId)
  if (pin) drop(tx, [pin])
}

function drop(tx: RealmTransaction, pins: readonly Pin[]): void {
  for (const { id } of pins) deletePin(tx.sql, id)
  for (const channelId of new Set(pins.map((pin) => pin.channelId))) announcePins(tx, channelId)
}

interface Moved {
  readonly plan: PlannedMove
  readonly ids: readonly number[]
  /** Whether the messages stay as they are, and their topic is renamed. */
  readonly takesOtherName: boolean
}

/**
 * Lets pins follow what a move has moved: those of messages into their new channel, that of a topic to where the last of its messages went.
 * A pin vanishes where there is no room for it, or the other topic has one.
 */
export function movePins(tx: RealmTransaction, { plan, ids, takesOtherName }: Moved): void {
  const { from, to, oldTopic, newTopic } = plan
  const crosses = from.id !== to.id
  const ofMessages = crosses ? pinsOfMessages(tx.sql, ids) : []
  for (const pin of ofMessages) putOrDrop(tx, pin, to.id, null)
  const ofTopic = pinOfTopic(tx.sql, oldTopic.id)
  const isEmptied = ofTopic && !takesOtherName && newestMessageOfTopic(tx.sql, oldTopic.id) === undefined
  if (isEmptied) putOrDrop(tx, ofTopic, to.id, findTopic(tx.sql, to.id, newTopic)!.id)
  if (ofMessages.length === 0 && !isEmptied && !(ofTopic && takesOtherName)) return
  announcePins(tx, from.id)
  if (crosses) announcePins(tx, to.id)
}

function putOrDrop({ sql }: RealmTransaction, pin: Pin, channelId: number, topicId: number | null): void {
  const isFull = pin.channelId !== channelId && countPins(sql, channelId) >= MAX_PINS
  if (isFull || (topicId !== null && pinOfTopic(sql, topicId))) deletePin(sql, pin.id)
  else putPinIn(sql, pin.id, { channelId, topicId })
}
