import * as v from 'valibot'
import {
  type DeliveryContext,
  defineEventType,
  type OutputOf,
  type StoredOf,
  topicFor,
} from './event-type.ts'

export const draftSchema = v.strictObject({
  id: v.number(),
  type: v.picklist(['', 'stream', 'private']),
  to: v.array(v.number()),
  topic: v.string(),
  content: v.string(),
  /** UNIX seconds with fraction. */
  timestamp: v.number(),
})

/** Drafts of the user were added, or one was changed or deleted. Source: docs/interface/events.md#events-about-what-is-ones-own. */
export const draftsEvent = defineEventType(
  'drafts',
  [
    { op: v.literal('add'), drafts: v.array(draftSchema) },
    { op: v.literal('update'), draft: draftSchema },
    { op: v.literal('remove'), draft_id: v.number() },
  ],
  (stored, context) => {
    switch (stored.op) {
      case 'add':
        return [{ ...stored, drafts: stored.drafts.map((draft) => draftFor(draft, context)) }]
      case 'update':
        return [{ ...stored, draft: draftFor(stored.draft, context) }]
      case 'remove':
        return [{ ...stored }]
    }
  },
)
export type StoredDraftsEvent = StoredOf<typeof draftsEvent>

/** The topic has the form that the client knows (docs/decisions/interface.md#conventions); a direct draft has none. */
function draftFor(draft: OutputOf<typeof draftSchema>, context: DeliveryContext) {
  return draft.type === 'stream' ? { ...draft, topic: topicFor(context, draft.topic) } : draft
}

export const savedSnippetSchema = v.strictObject({
  id: v.number(),
  title: v.string(),
  content: v.string(),
  /** UNIX seconds. */
  date_created: v.number(),
})

/** A saved snippet of the user was added, changed or deleted. Source: docs/interface/events.md#events-about-what-is-ones-own. */
export const savedSnippetsEvent = defineEventType('saved_snippets', [
  { op: v.picklist(['add', 'update']), saved_snippet: savedSnippetSchema },
  { op: v.literal('remove'), saved_snippet_id: v.number() },
])
export type StoredSavedSnippetsEvent = StoredOf<typeof savedSnippetsEvent>

export const scheduledMessageEntries = {
  scheduled_message_id: v.number(),
  type: v.picklist(['stream', 'private']),
  /** A channel's id, or the ids of the other participants. */
  to: v.union([v.number(), v.array(v.number())]),
  /** Channel messages only. */
  topic: v.optional(v.string()),
  content: v.string(),
  rendered_content: v.string(),
  /** UNIX seconds. */
  scheduled_delivery_timestamp: v.number(),
  failed: v.boolean(),
}
const scheduledMessage = v.strictObject(scheduledMessageEntries)

/** A scheduled message, for its author's clients. Source: docs/interface/personal.md#scheduled-messages. */
export type PresentedScheduledMessage = OutputOf<typeof scheduledMessage>

/**
 * Messages were scheduled or changed, or are no longer scheduled since they were sent or deleted. Source:
 * docs/interface/events.md#events-about-what-is-ones-own.
 */
export const scheduledMessagesEvent = defineEventType(
  'scheduled_messages',
  [
    { op: v.literal('add'), scheduled_messages: v.array(scheduledMessage) },
    { op: v.literal('update'), scheduled_message: scheduledMessage },
    { op: v.literal('remove'), scheduled_message_id: v.number() },
  ],
  (stored, context) => {
    switch (stored.op) {
      case 'add':
        return [
          { ...stored, scheduled_messages: stored.scheduled_messages.map((one) => named(one, context)) },
        ]
      case 'update':
        return [{ ...stored, scheduled_message: named(stored.scheduled_message, context) }]
      case 'remove':
        return [{ ...stored }]
    }
  },
)
export type StoredScheduledMessagesEvent = StoredOf<typeof scheduledMessagesEvent>

function named(message: PresentedScheduledMessage, context: DeliveryContext): PresentedScheduledMessage {
  return message.topic === undefined ? message : { ...message, topic: topicFor(context, message.topic) }
}

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

/** A reminder of the user was added, delivered or deleted. Source: docs/interface/events.md#events-about-what-is-ones-own. */
export const remindersEvent = defineEventType('reminders', [
  { op: v.literal('add'), reminders: v.array(reminderSchema) },
  { op: v.literal('remove'), reminder_id: v.number() },
])
export type StoredRemindersEvent = StoredOf<typeof remindersEvent>
