import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

/** A reminder in the API's form. Source: docs/interface/personal.md#reminders. */
export const reminderSchema = v.strictObject({
  reminder_id: v.number(),
  type: v.literal('private'),
  to: v.array(v.number()),
  content: v.string(),
  rendered_content: v.string(),
  scheduled_delivery_timestamp: v.number(),
  failed: v.boolean(),
  reminder_target_message_id: v.number(),
})

export type PresentedReminder = v.InferOutput<typeof reminderSchema>

/**
 * A reminder of the user was added, delivered or deleted. Source:
 * docs/interface/events.md#events-about-what-is-ones-own.
 */
export interface StoredRemindersEvent extends LogEvent {
  readonly type: 'reminders'
  readonly op: 'add' | 'remove'
  readonly reminders?: readonly PresentedReminder[]
  readonly reminder_id?: number
}

const envelope = { id: v.number(), type: v.literal('reminders') }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    reminders: StoredRemindersEvent
  }
}

export const remindersEvent = defineEventType<StoredRemindersEvent>({
  type: 'reminders',
  schema: v.union([
    v.strictObject({ ...envelope, op: v.literal('add'), reminders: v.array(reminderSchema) }),
    v.strictObject({ ...envelope, op: v.literal('remove'), reminder_id: v.number() }),
  ]),
})
