import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

export const navigationViewSchema = v.strictObject({
  fragment: v.string(),
  is_pinned: v.boolean(),
  name: v.nullable(v.string()),
})

/**
 * A view in the user's sidebar was added, changed or removed. Source:
 * docs/interface/events.md#events-about-what-is-ones-own.
 */
export interface StoredNavigationViewEvent extends LogEvent {
  readonly type: 'navigation_view'
  readonly op: 'add' | 'update' | 'remove'
  readonly navigation_view?: v.InferOutput<typeof navigationViewSchema>
  readonly fragment?: string
  readonly data?: { readonly is_pinned?: boolean; readonly name?: string }
}

const envelope = { id: v.number(), type: v.literal('navigation_view') }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    navigation_view: StoredNavigationViewEvent
  }
}

export const navigationViewEvent = defineEventType<StoredNavigationViewEvent>({
  type: 'navigation_view',
  schema: v.union([
    v.strictObject({ ...envelope, op: v.literal('add'), navigation_view: navigationViewSchema }),
    v.strictObject({
      ...envelope,
      op: v.literal('update'),
      fragment: v.string(),
      data: v.strictObject({ is_pinned: v.optional(v.boolean()), name: v.optional(v.string()) }),
    }),
    v.strictObject({ ...envelope, op: v.literal('remove'), fragment: v.string() }),
  ]),
})
