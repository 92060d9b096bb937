import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

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

const envelope = { id: v.number(), type: v.literal('saved_snippets') }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    saved_snippets: StoredSavedSnippetsEvent
  }
}

export const savedSnippetsEvent = defineEventType<StoredSavedSnippetsEvent>({
  type: 'saved_snippets',
  schema: v.union([
    v.strictObject({ ...envelope, op: v.picklist(['add', 'update']), saved_snippet: savedSnippetSchema }),
    v.strictObject({ ...envelope, op: v.literal('remove'), saved_snippet_id: v.number() }),
  ]),
})
