import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonTimestamp, pathInteger } from '../../api/parameter-types.ts'
import { messageContent, sentTopic } from '../../api/shared-parameters.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { type Caller, clientNameOf } from '../../model/caller.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import {
  composeScheduled,
  kindOf,
  readDestination,
  type ScheduledType,
} from '../../model/scheduled-messages/compose-scheduled.ts'
import {
  emitScheduledUpdate,
  requireFuture,
  scheduleDelivery,
} from '../../model/scheduled-messages/emit-scheduled.ts'
import { claimForScheduled } from '../../model/uploads/claim-attachments.ts'
import {
  rewriteScheduledMessage,
  type ScheduledDestination,
  type ScheduledMessage,
} from '../../store/scheduled-messages/scheduled-message-rows.ts'
import { scheduledTo, scheduledType } from './create-scheduled-message.ts'
import { requireOwnScheduledMessage } from './delete-scheduled-message.ts'

/**
 * Changes a scheduled message; a failed one becomes due again, at a new time. Source:
 * docs/interface/personal.md#scheduled-messages; docs/interface/personal.md#delivery.
 */
export const editScheduledMessageEndpoint = defineEndpoint({
  operation: 'edit-scheduled-message',
  method: 'PATCH',
  path: '/scheduled_messages/:scheduled_message_id',
  access: 'user',
  growsObject: true,
  params: {
    scheduled_message_id: pathInteger,
    type: v.optional(scheduledType),
    to: v.optional(scheduledTo),
    topic: v.optional(sentTopic),
    content: v.optional(messageContent),
    scheduled_delivery_timestamp: v.optional(v.pipe(jsonTimestamp, v.description('UNIX seconds.'))),
  },
  returns: v.object({}),
  command: { apply: editScheduledMessage },
  audit: 'own',
})

interface EditScheduledMessageParams {
  readonly scheduled_message_id: number
  readonly type?: ScheduledType
  readonly to?: number | readonly number[]
  readonly topic?: string
  readonly content?: string
  readonly scheduled_delivery_timestamp?: number
}

function editScheduledMessage(
  tx: RealmTransaction,
  caller: Caller,
  params: EditScheduledMessageParams,
): object {
  requireConsistent(params)
  const dueAt = params.scheduled_delivery_timestamp
  if (dueAt !== undefined) requireFuture(dueAt, tx.now)
  const message = requireOwnScheduledMessage(tx, caller, params.scheduled_message_id)
  if (message.state === 'sent') throw new BadRequestError('Scheduled message was already sent')
  // The old time of a failed message is over.
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
  return {}
}

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
