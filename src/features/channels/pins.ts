import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { described, jsonBoolean, jsonInteger, pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { channelRecipientId } from '../../core/recipient-id.ts'
import type { Caller } from '../../model/caller.ts'
import {
  requireActiveChannel,
  requireReadableChannel,
} from '../../model/channels/visibility/find-for-caller.ts'
import { announcePins } from '../../model/editing/keep-pins.ts'
import { findReadableMessage } from '../../model/messages/read/message-access.ts'
import { requireMayPin } from '../../rules/channel-rules.ts'
import { invalidMessage } from '../../rules/message-rules.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import {
  countPins,
  deletePin,
  insertPin,
  listPins,
  MAX_PINS,
  type Pin,
  pinOfMessage,
  pinOfTopic,
} from '../../store/channels/pin-rows.ts'
import { hasReceivedInTopic } from '../../store/messages/flags/received-message-rows.ts'
import { findTopic, type Topic, topicById } from '../../store/messages/topic-rows.ts'

/** Lists the pins of a channel that the caller may see, the newest first. Source: docs/interface/channels.md#pins. */
export const getChannelPinsEndpoint = defineEndpoint({
  operation: 'get-channel-pins',
  route: 'GET /streams/:stream_id/pins',
  access: 'user',
  params: { stream_id: pathInteger, allow_empty_topic_name: v.optional(jsonBoolean, 'false') },
  returns: v.object({
    pins: v.array(
      v.object({
        id: v.number(),
        message_id: v.nullable(v.number()),
        topic: v.nullable(v.string()),
        pinned_by: v.number(),
        pinned_at: v.number(),
      }),
    ),
  }),
  query(tx, caller, { stream_id, allow_empty_topic_name }) {
    const channel = requireReadableChannel(tx.sql, caller, stream_id)
    const pins = listPins(tx.sql, channel.id).flatMap((pin) => {
      const topic =
        pin.topicId === null ? null : seenTopic(tx, caller, channel, topicById(tx.sql, pin.topicId))
      if (!isSeen(tx, caller, pin, topic)) return []
      const name = topic?.name === '' && !allow_empty_topic_name ? EMPTY_TOPIC_DISPLAY_NAME : topic?.name
      const { id, messageId: message_id, pinnedBy: pinned_by, pinnedAt: pinned_at } = pin
      return [{ id, message_id, topic: name ?? null, pinned_by, pinned_at }]
    })
    return { pins }
  },
})

function isSeen(
  tx: RealmReads,
  caller: Caller,
  { messageId }: Pin,
  topic: Topic | null | undefined,
): boolean {
  return messageId === null ? topic !== undefined : findReadableMessage(tx, caller, messageId) !== undefined
}

/** Returns the topic if the caller has, or may read, a message in it. */
function seenTopic(
  { sql }: RealmReads,
  { user }: Caller,
  { historyPublicToSubscribers }: Channel,
  topic: Topic | undefined,
): Topic | undefined {
  return topic && hasReceivedInTopic(sql, topic, user.id, historyPublicToSubscribers) ? topic : undefined
}

/** Pins a message or a topic; what is pinned already stays so. Source: docs/interface/channels.md#pins. */
export const pinInChannelEndpoint = defineEndpoint({
  operation: 'pin-in-channel',
  route: 'POST /streams/:stream_id/pins',
  access: 'user',
  growsObject: true,
  params: {
    stream_id: pathInteger,
    message_id: v.optional(jsonInteger),
    topic: v.optional(
      described(textUpTo(NAME_LENGTH), 'The display name of the empty topic is read as the empty topic.'),
    ),
  },
  returns: v.object({ id: v.number() }),
  apply(tx, caller, { stream_id, ...named }) {
    const channel = requirePinnableChannel(tx, caller, stream_id)
    const pinned = requirePinned(tx, caller, channel, named)
    const before =
      pinned.messageId === null ? pinOfTopic(tx.sql, pinned.topicId!) : pinOfMessage(tx.sql, pinned.messageId)
    if (before) return { id: before.id }
    if (countPins(tx.sql, channel.id) >= MAX_PINS) {
      throw new BadRequestError(`A channel cannot have more than ${MAX_PINS} pins.`)
    }
    const by = { pinnedBy: caller.user.id, pinnedAt: tx.now }
    const id = insertPin(tx.sql, { channelId: channel.id, ...pinned, ...by })
    announcePins(tx, channel.id)
    return { id }
  },
  audit: 'shown',
})

function requirePinnableChannel(tx: RealmTransaction, caller: Caller, id: number): Channel {
  const channel = requireActiveChannel(tx.sql, caller, id)
  requireMayPin(caller.actor, channel)
  return channel
}

function requirePinned(
  tx: RealmTransaction,
  caller: Caller,
  channel: Channel,
  { message_id, topic }: { readonly message_id?: number | undefined; readonly topic?: string | undefined },
): Pick<Pin, 'messageId' | 'topicId'> {
  if ((message_id === undefined) === (topic === undefined)) {
    throw new BadRequestError('Name either a message or a topic.')
  }
  if (message_id !== undefined) {
    const message = findReadableMessage(tx, caller, message_id)
    if (message?.recipientId !== channelRecipientId(channel.id)) throw invalidMessage()
    return { messageId: message.id, topicId: null }
  }
  const name = topic === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic!
  const found = seenTopic(tx, caller, channel, findTopic(tx.sql, channel.id, name))
  if (!found) throw new BadRequestError('There is no such topic.')
  return { messageId: null, topicId: found.id }
}

/** Removes a pin that the caller can see. Source: docs/interface/channels.md#pins. */
export const unpinInChannelEndpoint = defineEndpoint({
  operation: 'unpin-in-channel',
  route: 'DELETE /streams/:stream_id/pins/:pin_id',
  access: 'user',
  params: { stream_id: pathInteger, pin_id: pathInteger },
  apply(tx, caller, { stream_id, pin_id }) {
    const channel = requirePinnableChannel(tx, caller, stream_id)
    const pin = listPins(tx.sql, channel.id).find(({ id }) => id === pin_id)
    const topic = pin?.topicId && seenTopic(tx, caller, channel, topicById(tx.sql, pin.topicId))
    if (!pin || !isSeen(tx, caller, pin, topic || undefined))
      throw new BadRequestError('There is no such pin.')
    deletePin(tx.sql, pin.id)
    announcePins(tx, channel.id)
  },
  audit: 'shown',
})
