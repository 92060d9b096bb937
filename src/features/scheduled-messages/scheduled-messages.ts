import * as v from 'valibot'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH } from '../../api/input-limits.ts'
import {
  described,
  integer,
  json,
  jsonBoolean,
  jsonTimestamp,
  listUpTo,
  pathInteger,
  wordOf,
} from '../../api/parameter-types.ts'
import { messageContent, sentTopic } from '../../api/shared-parameters.ts'
import { BadRequestError, NotFoundError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { scheduledMessageEntries } from '../../events/unsent.ts'
import { type Caller, clientNameOf } from '../../model/caller.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { cancelScheduledMessage } from '../../model/scheduled-messages/cancel-scheduled.ts'
import {
  composeScheduled,
  isNoteToSelf,
  kindOf,
  readDestination,
} from '../../model/scheduled-messages/compose-scheduled.ts'
import {
  emitScheduledAdd,
  emitScheduledUpdate,
  requireFuture,
  scheduleDelivery,
} from '../../model/scheduled-messages/emit-scheduled.ts'
import { isFullClient } from '../../model/sending/send-for-caller.ts'
import { presentScheduledMessage } from '../../model/unsent/present-unsent.ts'
import { claimForScheduled } from '../../model/uploads/claim-attachments.ts'
import {
  findScheduledMessage,
  insertScheduledMessage,
  listScheduledMessagesOf,
  rewriteScheduledMessage,
  type ScheduledDestination,
  type ScheduledMessage,
} from '../../store/unsent/unsent-rows.ts'

/** Lists the caller's unsent messages, including failed ones, by time. Source: docs/interface/personal.md#scheduled-messages. */
export const listScheduledMessagesEndpoint = defineEndpoint({
  operation: 'list-scheduled-messages',
  route: 'GET /scheduled_messages',
  access: 'user',
  returns: v.object({ scheduled_messages: v.array(v.object(scheduledMessageEntries)) }),
  query: (tx, { user }) => ({
    scheduled_messages: listScheduledMessagesOf(tx.sql, user.id).map((message) =>
      presentScheduledMessage(tx, message),
    ),
  }),
})

const scheduledType = wordOf(['direct', 'private', 'stream', 'channel'])

const scheduledTo = described(
  json(v.union([integer, listUpTo(MAX_HANDMADE_LIST_LENGTH, integer)])),
  'The id of a channel, or a list of ids of users.',
)

const createScheduledMessageParams = {
  type: scheduledType,
  to: scheduledTo,
  content: messageContent,
  scheduled_delivery_timestamp: described(jsonTimestamp, 'UNIX seconds.'),
  topic: v.optional(sentTopic),
  read_by_sender: v.optional(jsonBoolean),
}

/** Schedules a message. Source: docs/interface/personal.md#scheduled-messages. */
export const createScheduledMessageEndpoint = defineEndpoint({
  operation: 'create-scheduled-message',
  route: 'POST /scheduled_messages',
  access: 'user',
  growsObject: true,
  params: createScheduledMessageParams,
  returns: v.object({ scheduled_message_id: v.number() }),
  apply(tx, caller, params): { scheduled_message_id: number } {
    const dueAt = params.scheduled_delivery_timestamp
    requireFuture(dueAt, tx.now)
    const destination = readDestination(tx, kindOf(params.type), params.to, params.topic)
    const origin = caller.source.origin
    const { content, rendered } = composeScheduled(tx, caller, {
      destination,
      content: params.content,
      origin,
    })
    const client = clientNameOf(caller.source)
    const scheduled = {
      userId: caller.user.id,
      destination,
      content,
      renderedContent: rendered.html,
      dueAt,
      client,
      origin,
      readBySender:
        params.read_by_sender ?? (isFullClient(client) && !isNoteToSelf(destination, caller.user.id)),
    }
    const id = withinQuota(tx, caller, 'scheduled', () => insertScheduledMessage(tx.sql, scheduled))
    claimForScheduled(tx, id, rendered.uploadPaths)
    scheduleDelivery(tx, id, dueAt)
    emitScheduledAdd(tx, findScheduledMessage(tx.sql, id)!)
    return { scheduled_message_id: id }
  },
  audit: 'own',
})

const editScheduledMessageParams = {
  scheduled_message_id: pathInteger,
  type: v.optional(scheduledType),
  to: v.optional(scheduledTo),
  topic: v.optional(sentTopic),
  content: v.optional(messageContent),
  scheduled_delivery_timestamp: v.optional(described(jsonTimestamp, 'UNIX seconds.')),
}
type EditScheduledMessageParams = ParametersOf<typeof editScheduledMessageParams>

/**
 * Changes a scheduled message; a failed one becomes due again, at a new time. Source:
 * docs/interface/personal.md#scheduled-messages; docs/interface/personal.md#delivery.
 */
export const editScheduledMessageEndpoint = defineEndpoint({
  operation: 'edit-scheduled-message',
  route: 'PATCH /scheduled_messages/:scheduled_message_id',
  access: 'user',
  growsObject: true,
  params: editScheduledMessageParams,
  apply(tx, caller, params) {
    requireConsistent(params)
    const dueAt = params.scheduled_delivery_timestamp
    if (dueAt !== undefined) requireFuture(dueAt, tx.now)
    const message = requireOwnScheduledMessage(tx, caller, params.scheduled_message_id)
    if (message.state === 'sent') throw new BadRequestError('Scheduled message was already sent')
    // The old time of a failed message has passed.
    if (message.state === 'failed') requireFuture(dueAt ?? message.dueAt, tx.now)
    const edited: ScheduledMessage = {
      ...message,
      ...newText(tx, caller, message, params),
      state: 'pending',
      dueAt: dueAt ?? message.dueAt,
      client: clientNameOf(caller.source),
      origin: caller.source.origin,
    }
    withinQuota(tx, caller, 'scheduled', () => rewriteScheduledMessage(tx.sql, edited))
    scheduleDelivery(tx, edited.id, edited.dueAt)
    emitScheduledUpdate(tx, edited.id)
  },
  audit: 'own',
})

function requireConsistent(params: EditScheduledMessageParams): void {
  const { scheduled_message_id: _id, type, to, topic, ...rest } = params
  if ([type, to, topic, ...Object.values(rest)].every((value) => value === undefined)) {
    throw new BadRequestError('Nothing to change')
  }
  if (type === undefined) return
  if (to === undefined) {
    throw new BadRequestError('Recipient required when updating type of scheduled message.')
  }
  if (kindOf(type) === 'channel' && topic === undefined) {
    throw new BadRequestError('Topic required when updating scheduled message type to channel.')
  }
}

/** Returns the new text, checked like a message that is sent now, unless only the time changes. */
function newText(
  tx: RealmTransaction,
  caller: Caller,
  message: ScheduledMessage,
  params: EditScheduledMessageParams,
): Pick<ScheduledMessage, 'destination' | 'content' | 'renderedContent'> | undefined {
  const destination = newDestination(tx, message, params)
  if (destination === message.destination && params.content === undefined) return undefined
  const { content, rendered } = composeScheduled(tx, caller, {
    destination,
    content: params.content ?? message.content,
    origin: caller.source.origin,
  })
  claimForScheduled(tx, message.id, rendered.uploadPaths)
  return { destination, content, renderedContent: rendered.html }
}

function newDestination(
  tx: RealmReads,
  { destination }: ScheduledMessage,
  { type, to, topic }: EditScheduledMessageParams,
): ScheduledDestination {
  const kind = type === undefined ? destination.kind : kindOf(type)
  const currentTopic = destination.kind === 'channel' ? destination.topic : undefined
  if (to !== undefined) return readDestination(tx, kind, to, topic ?? currentTopic)
  if (topic === undefined || destination.kind === 'direct') return destination
  return readDestination(tx, kind, destination.channelId, topic)
}

/**
 * Deletes a scheduled message. Deleting one that was sent is no error, since the client may not know yet. Source:
 * docs/interface/personal.md#scheduled-messages.
 */
export const deleteScheduledMessageEndpoint = defineEndpoint({
  operation: 'delete-scheduled-message',
  route: 'DELETE /scheduled_messages/:scheduled_message_id',
  access: 'user',
  params: { scheduled_message_id: pathInteger },
  apply(tx, caller, { scheduled_message_id }) {
    const message = requireOwnScheduledMessage(tx, caller, scheduled_message_id)
    cancelScheduledMessage(tx, message)
  },
  audit: 'own',
})

/** @throws NotFoundError also for another user's message */
function requireOwnScheduledMessage(
  { sql }: Pick<RealmView, 'sql'>,
  { user }: Caller,
  id: number,
): ScheduledMessage {
  const message = findScheduledMessage(sql, id)
  if (message?.userId !== user.id) throw noSuchScheduledMessage()
  return message
}

function noSuchScheduledMessage(): NotFoundError {
  return new NotFoundError('Scheduled message does not exist')
}
