import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonIds, jsonInteger, wordOf } from '../../api/parameter-types.ts'
import { sentTopic } from '../../api/shared-parameters.ts'
import { toUsers } from '../../core/audience.ts'
import { assert, BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredTypingEvent } from '../../events/typing.ts'
import type { Caller } from '../../model/caller.ts'
import { normaliseTopic } from '../../model/messages/send/message-text.ts'
import { requireMayPostIn, resolveDirectDestination } from '../../model/messages/send/resolve-destination.ts'
import { apiEmail } from '../../model/users/addresses/api-email.ts'
import { unknownInChannel } from '../../model/users/visibility/present-unknown-user.ts'
import { requireActiveChannelContent } from '../../rules/channel-rules.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { requireTypingShared, typingReceivers, typingReceiversInChannel } from './typing-audience.ts'

/**
 * Notifies others that the caller is typing, or has stopped. Nothing is stored, and nothing ends by itself:
 * clients count the time. Source: docs/interface/messages.md#typing.
 */
export const setTypingEndpoint = defineEndpoint({
  operation: 'set-typing',
  method: 'POST',
  path: '/typing',
  access: 'user',
  params: {
    type: v.optional(wordOf(['direct', 'private', 'stream', 'channel']), 'direct'),
    op: wordOf(['start', 'stop']),
    to: v.optional(v.pipe(jsonIds, v.description('Ids of users, for direct messages.'))),
    stream_id: v.optional(jsonInteger),
    topic: v.optional(sentTopic),
  },
  returns: v.object({}),
  command: { apply: setTyping },
  audit: 'speech',
})

interface SetTypingParams {
  readonly type: 'direct' | 'private' | 'stream' | 'channel'
  readonly op: 'start' | 'stop'
  readonly to?: readonly number[]
  readonly stream_id?: number
  readonly topic?: string
}

function setTyping(tx: RealmTransaction, caller: Caller, params: SetTypingParams): object {
  if (params.type === 'stream' || params.type === 'channel') typeInChannel(tx, caller, params)
  else typeToPeople(tx, caller, params)
  return {}
}

function typeInChannel(
  tx: RealmTransaction,
  caller: Caller,
  { op, stream_id, topic }: SetTypingParams,
): void {
  if (stream_id === undefined) throw new BadRequestError("Missing 'stream_id' argument")
  if (topic === undefined) throw new BadRequestError('Missing topic')
  requireTypingShared(caller.user, 'channel')
  const channel = requireActiveChannelContent(
    caller.actor,
    findChannel(tx.sql, stream_id),
    isSubscribed(tx.sql, stream_id, caller.user.id),
  )
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

/**
 * Notifies people. The caller's own clients are notified too, since the caller may be typing in one of
 * several.
 */
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
