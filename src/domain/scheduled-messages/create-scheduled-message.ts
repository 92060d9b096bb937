import type { Command } from '../../core/command.ts'
import { type Caller, clientNameOf } from '../caller.ts'
import { isFullClient } from '../messages/send/send-for-caller.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { claimForScheduled } from '../uploads/claim-attachments.ts'
import {
  composeScheduled,
  isNoteToSelf,
  kindOf,
  readDestination,
  type ScheduledType,
} from './compose-scheduled.ts'
import { requireFuture, scheduleDelivery } from './delivery-job.ts'
import { emitScheduledAdd } from './emit-scheduled.ts'
import { findScheduledMessage, insertScheduledMessage } from './scheduled-message-rows.ts'

export interface CreateScheduledMessageParams {
  readonly type: ScheduledType
  readonly to: number | readonly number[]
  readonly content: string
  /** UNIX seconds. */
  readonly scheduled_delivery_timestamp: number
  readonly topic?: string
  readonly read_by_sender?: boolean
}

/** Schedules a message. Source: docs/interface/personal.md#scheduled-messages. */
export const createScheduledMessage: Command<
  Caller,
  CreateScheduledMessageParams,
  void,
  { scheduled_message_id: number }
> = {
  apply(tx, caller, params) {
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
}
