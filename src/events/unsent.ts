import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { type DeliveryContext, defineEventType, topicFor } from './event-type.ts'

export const draftSchema = v.strictObject({
  id: v.number(),
  type: v.picklist(['', 'stream', 'private']),
  to: v.array(v.number()),
  topic: v.string(),
  content: v.string(),
  /** UNIX seconds with fraction. */
  timestamp: v.number(),
})
type Draft = v.InferOutput<typeof draftSchema>

/**
 * Drafts of the user were added, or one was changed or deleted. Source:
 * docs/interface/events.md#events-about-what-is-ones-own.
 */
export interface StoredDraftsEvent extends LogEvent {
  readonly type: 'drafts'
  readonly op: 'add' | 'update' | 'remove'
  readonly drafts?: readonly Draft[]
  readonly draft?: Draft
  readonly draft_id?: number
}

const draftsEnvelope = { id: v.number(), type: v.literal('drafts') }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    drafts: StoredDraftsEvent
  }
}

/**
 * The topic has the form that the client knows (docs/decisions/interface.md#conventions); a direct draft has
 * none.
 */
export const draftsEvent = defineEventType<StoredDraftsEvent>({
  type: 'drafts',
  schema: v.union([
    v.strictObject({ ...draftsEnvelope, op: v.literal('add'), drafts: v.array(draftSchema) }),
    v.strictObject({ ...draftsEnvelope, op: v.literal('update'), draft: draftSchema }),
    v.strictObject({ ...draftsEnvelope, op: v.literal('remove'), draft_id: v.number() }),
  ]),
  deliver({ drafts, draft, ...stored }, context) {
    const shown = (one: Draft): Draft =>
      one.type === 'stream' ? { ...one, topic: topicFor(context, one.topic) } : one
    return [
      {
        ...stored,
        ...(drafts ? { drafts: drafts.map(shown) } : {}),
        ...(draft ? { draft: shown(draft) } : {}),
      },
    ]
  },
})

export const savedSnippetSchema = v.strictObject({
  id: v.number(),
  title: v.string(),
  content: v.string(),
  /** UNIX seconds. */
  date_created: v.number(),
})

/**
 * A saved snippet of the user was added, changed or deleted. Source:
 * docs/interface/events.md#events-about-what-is-ones-own.
 */
export interface StoredSavedSnippetsEvent extends LogEvent {
  readonly type: 'saved_snippets'
  readonly op: 'add' | 'update' | 'remove'
  readonly saved_snippet?: v.InferOutput<typeof savedSnippetSchema>
  readonly saved_snippet_id?: number
}

const savedSnippetsEnvelope = { id: v.number(), type: v.literal('saved_snippets') }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    saved_snippets: StoredSavedSnippetsEvent
  }
}

export const savedSnippetsEvent = defineEventType<StoredSavedSnippetsEvent>({
  type: 'saved_snippets',
  schema: v.union([
    v.strictObject({
      ...savedSnippetsEnvelope,
      op: v.picklist(['add', 'update']),
      saved_snippet: savedSnippetSchema,
    }),
    v.strictObject({ ...savedSnippetsEnvelope, op: v.literal('remove'), saved_snippet_id: v.number() }),
  ]),
})

/** A scheduled message, for its author's clients. Source: docs/interface/personal.md#scheduled-messages. */
export interface PresentedScheduledMessage {
  readonly scheduled_message_id: number
  readonly type: 'stream' | 'private'
  /** A channel's id, or the ids of the other participants. */
  readonly to: number | readonly number[]
  /** Channel messages only. */
  readonly topic?: string
  readonly content: string
  readonly rendered_content: string
  /** UNIX seconds. */
  readonly scheduled_delivery_timestamp: number
  readonly failed: boolean
}

/**
 * Messages were scheduled or changed, or are no longer scheduled since they were sent or deleted. Source:
 * docs/interface/events.md#events-about-what-is-ones-own.
 */
export type StoredScheduledMessagesEvent = LogEvent & { readonly type: 'scheduled_messages' } & (
    | { readonly op: 'add'; readonly scheduled_messages: readonly PresentedScheduledMessage[] }
    | { readonly op: 'update'; readonly scheduled_message: PresentedScheduledMessage }
    | { readonly op: 'remove'; readonly scheduled_message_id: number }
  )

export const scheduledMessageEntries = {
  scheduled_message_id: v.number(),
  type: v.picklist(['stream', 'private']),
  to: v.union([v.number(), v.array(v.number())]),
  topic: v.optional(v.string()),
  content: v.string(),
  rendered_content: v.string(),
  scheduled_delivery_timestamp: v.number(),
  failed: v.boolean(),
}

const scheduledMessagesEnvelope = { id: v.number(), type: v.literal('scheduled_messages') }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    scheduled_messages: StoredScheduledMessagesEvent
  }
}

export const scheduledMessagesEvent = defineEventType<StoredScheduledMessagesEvent>({
  type: 'scheduled_messages',
  schema: v.union([
    v.strictObject({
      ...scheduledMessagesEnvelope,
      op: v.literal('add'),
      scheduled_messages: v.array(v.strictObject(scheduledMessageEntries)),
    }),
    v.strictObject({
      ...scheduledMessagesEnvelope,
      op: v.literal('update'),
      scheduled_message: v.strictObject(scheduledMessageEntries),
    }),
    v.strictObject({
      ...scheduledMessagesEnvelope,
      op: v.literal('remove'),
      scheduled_message_id: v.number(),
    }),
  ]),
  deliver(stored, context) {
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
})

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

const remindersEnvelope = { id: v.number(), type: v.literal('reminders') }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    reminders: StoredRemindersEvent
  }
}

export const remindersEvent = defineEventType<StoredRemindersEvent>({
  type: 'reminders',
  schema: v.union([
    v.strictObject({ ...remindersEnvelope, op: v.literal('add'), reminders: v.array(reminderSchema) }),
    v.strictObject({ ...remindersEnvelope, op: v.literal('remove'), reminder_id: v.number() }),
  ]),
})
