import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH } from '../../api/input-limits.ts'
import { integer, json, jsonBoolean, jsonTimestamp, listUpTo, wordOf } from '../../api/parameter-types.ts'
import { messageContent, sentTopic } from '../../api/shared-parameters.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { type Caller, clientNameOf } from '../../model/caller.ts'
import { isFullClient } from '../../model/messages/send/send-for-caller.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import {
  composeScheduled,
  isNoteToSelf,
  kindOf,
  readDestination,
  type ScheduledType,
} from '../../model/scheduled-messages/compose-scheduled.ts'
import {
  emitScheduledAdd,
  requireFuture,
  scheduleDelivery,
} from '../../model/scheduled-messages/emit-scheduled.ts'
import { claimForScheduled } from '../../model/uploads/claim-attachments.ts'
import {
  findScheduledMessage,
  insertScheduledMessage,
} from '../../store/scheduled-messages/scheduled-message-rows.ts'

export const scheduledType = wordOf(['direct', 'private', 'stream', 'channel'])

export const scheduledTo = v.pipe(
  json(v.union([integer, listUpTo(MAX_HANDMADE_LIST_LENGTH, integer)])),
  v.description('The id of a channel, or a list of ids of users.'),
)

/** Schedules a message. Source: docs/interface/personal.md#scheduled-messages. */
export const createScheduledMessageEndpoint = defineEndpoint({
  operation: 'create-scheduled-message',
  method: 'POST',
  path: '/scheduled_messages',
  access: 'user',
  growsObject: true,
  params: {
    type: scheduledType,
    to: scheduledTo,
    content: messageContent,
    scheduled_delivery_timestamp: v.pipe(jsonTimestamp, v.description('UNIX seconds.')),
    topic: v.optional(sentTopic),
    read_by_sender: v.optional(jsonBoolean),
  },
  returns: v.object({ scheduled_message_id: v.number() }),
  command: { apply: createScheduledMessage },
  audit: 'own',
})

interface CreateScheduledMessageParams {
  readonly type: ScheduledType
  readonly to: number | readonly number[]
  readonly content: string
  /** UNIX seconds. */
  readonly scheduled_delivery_timestamp: number
  readonly topic?: string
  readonly read_by_sender?: boolean
}

function createScheduledMessage(
  tx: RealmTransaction,
  caller: Caller,
  params: CreateScheduledMessageParams,
): { scheduled_message_id: number } {
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
}
