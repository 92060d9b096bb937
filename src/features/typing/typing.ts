import * as v from 'valibot'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { described, jsonIds, jsonInteger, pathInteger, wordOf } from '../../api/parameter-types.ts'
import { sentTopic } from '../../api/shared-parameters.ts'
import { toUsers } from '../../core/audience.ts'
import { assert, BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import type { StoredTypingEditMessageEvent, StoredTypingEvent } from '../../events/typing.ts'
import type { Caller } from '../../model/caller.ts'
import { requireActiveChannel } from '../../model/channels/visibility/find-for-caller.ts'
import { requireModifiableMessage } from '../../model/messages/read/message-access.ts'
import { normaliseTopic } from '../../model/messages/text/compose.ts'
import { topicOfMessage } from '../../model/messages/topic-of-message.ts'
import { requireMayPostIn, resolveDirectDestination } from '../../model/sending/resolve-destination.ts'
import { apiEmail } from '../../model/users/addresses/api-email.ts'
import { unknownInChannel } from '../../model/users/visibility/visible-users.ts'
import { requireMayEditContent } from '../../rules/message-rules.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { conversationById } from '../../store/messages/conversation-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { recordHoldersAmong } from '../../store/messages/read/record-holder-rows.ts'
import { realmProperties } from '../../store/realm/realm-setting-rows.ts'
import { openSubscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import { findUsers, type User } from '../../store/users/user-rows.ts'

const setTypingParams = {
  type: v.optional(wordOf(['direct', 'private', 'stream', 'channel']), 'direct'),
  op: wordOf(['start', 'stop']),
  to: v.optional(described(jsonIds, 'Ids of users, for direct messages.')),
  stream_id: v.optional(jsonInteger),
  topic: v.optional(sentTopic),
}
type SetTypingParams = ParametersOf<typeof setTypingParams>

/**
 * Notifies others that the caller is typing, or has stopped. Nothing is stored, and nothing expires here: clients measure the time. Source:
 * docs/interface/messages.md#typing.
 */
export const setTypingEndpoint = defineEndpoint({
  operation: 'set-typing',
  route: 'POST /typing',
  access: 'user',
  params: setTypingParams,
  apply(tx, caller, params) {
    if (params.type === 'stream' || params.type === 'channel') typeInChannel(tx, caller, params)
    else typeToPeople(tx, caller, params)
  },
  audit: 'speech',
  shed: { step: 'presence', answer: () => ({}) },
})

function typeInChannel(
  tx: RealmTransaction,
  caller: Caller,
  { op, stream_id, topic }: SetTypingParams,
): void {
  if (stream_id === undefined) throw new BadRequestError("Missing 'stream_id' argument")
  if (topic === undefined) throw new BadRequestError('Missing topic')
  requireTypingShared(caller.user, 'channel')
  const channel = requireActiveChannel(tx.sql, caller, stream_id)
  requireMayPostIn(tx, caller, channel)
  const receivers = typingReceiversInChannel(tx, channel.id)
  if (!receivers) return
  const unknown = unknownInChannel(tx, caller.user, channel.id)
  const event: StoredTypingEvent = {
    type: 'typing',
    op,
    message_type: 'stream',
    sender: presentPerson(tx, caller.user),
    stream_id: channel.id,
    topic: normaliseTopic(topic),
    ...(unknown ? { unknown: { to: unknown.to, email: unknown.email } } : {}),
  }
  tx.emitEphemeral(event, toUsers(...receivers))
}

/** Notifies people, including the caller's own clients, since the caller may be typing in one of several. */
function typeToPeople(tx: RealmTransaction, caller: Caller, { op, to }: SetTypingParams): void {
  if (to === undefined) throw new BadRequestError("Missing 'to' argument")
  if (to.length === 0) throw new BadRequestError("Empty 'to' list")
  requireTypingShared(caller.user, 'direct')
  const destination = resolveDirectDestination(tx, caller, { ids: to })
  assert(destination.kind === 'direct', 'ids of users make a direct conversation')
  const event: StoredTypingEvent = {
    type: 'typing',
    op,
    message_type: 'direct',
    sender: presentPerson(tx, caller.user),
    recipients: destination.participants.map((user) => presentPerson(tx, user)),
  }
  tx.emitEphemeral(event, toUsers(...typingReceivers(destination.participants)))
}

function presentPerson({ realm }: RealmReads, user: User) {
  return { user_id: user.id, email: apiEmail(user, realm) }
}

/**
 * Notifies others that the caller is editing a message, or has stopped. The caller must have the right to edit it now, without the edit's
 * grace period. Source: docs/interface/messages.md#typing.
 */
export const setEditTypingEndpoint = defineEndpoint({
  operation: 'set-edit-typing',
  route: 'POST /messages/:message_id/typing',
  access: 'user',
  params: { message_id: pathInteger, op: wordOf(['start', 'stop']) },
  apply(tx, caller, { message_id, op }) {
    const message = requireModifiableMessage(tx, caller, message_id)
    requireMayEditContent(
      caller.actor,
      { senderId: message.senderId, ageSeconds: tx.now - message.sentAt },
      realmProperties(tx.sql),
      0,
    )
    const target = typingTargetOf(tx, message)
    requireTypingShared(caller.user, target.recipient.type)
    if (!target.receivers) return
    const event: StoredTypingEditMessageEvent = {
      type: 'typing_edit_message',
      op,
      sender_id: caller.user.id,
      message_id,
      recipient: target.recipient,
    }
    tx.emitEphemeral(event, toUsers(...target.receivers))
  },
  audit: 'speech',
  shed: { step: 'presence', answer: () => ({}) },
})

interface TypingTarget {
  readonly recipient: StoredTypingEditMessageEvent['recipient']
  readonly receivers: readonly number[] | undefined
}

function typingTargetOf(tx: RealmReads, message: IndexedMessage): TypingTarget {
  const { kind, id } = recipientOf(message.recipientId)
  if (kind === 'channel') {
    return {
      recipient: { type: 'channel', channel_id: id, topic: topicOfMessage(tx.sql, message)?.name ?? '' },
      receivers: typingReceiversOf(tx, id, message),
    }
  }
  const members = conversationById(tx.sql, id)?.members ?? []
  return {
    recipient: { type: 'direct', user_ids: [...members] },
    receivers: typingReceivers(findUsers(tx.sql, members).values()),
  }
}

/** Subscribers up to which a channel shows who is typing (docs/interface/messages.md#typing). */
const MAX_SUBSCRIBERS = 100

/** Returns the ids of users who want to see who is typing, ascending. */
function typingReceivers(users: Iterable<User>): number[] {
  return [...users]
    .filter((user) => user.isActive && userSetting(user, 'receives_typing_notifications'))
    .map(({ id }) => id)
    .sort((a, b) => a - b)
}

/** Returns the ids of users to notify in a channel; undefined if it is too large. */
function typingReceiversInChannel({ sql }: Pick<RealmView, 'sql'>, channelId: number): number[] | undefined {
  const subscribers = openSubscribersOf(sql, channelId)
  if (subscribers.size > MAX_SUBSCRIBERS) return undefined
  return typingReceivers(findUsers(sql, subscribers.toArray()).values())
}

/** Returns the receivers in a channel who can see the edited message. */
function typingReceiversOf(
  { sql }: Pick<RealmView, 'sql'>,
  channelId: number,
  message: Pick<IndexedMessage, 'id' | 'moveId'>,
): number[] | undefined {
  const receivers = typingReceiversInChannel({ sql }, channelId)
  if (!receivers || findChannel(sql, channelId)?.historyPublicToSubscribers) return receivers
  return recordHoldersAmong(sql, channelId, message, receivers).map(({ userId }) => userId)
}

/** Refuses a user whose setting hides typing, instead of silently sending nothing (docs/interface/messages.md#typing). */
function requireTypingShared(user: User, kind: 'channel' | 'direct'): void {
  if (kind === 'channel' && !userSetting(user, 'send_stream_typing_notifications')) {
    throw new BadRequestError('User has disabled typing notifications for channel messages')
  }
  if (kind === 'direct' && !userSetting(user, 'send_private_typing_notifications')) {
    throw new BadRequestError('User has disabled typing notifications for direct messages')
  }
}
