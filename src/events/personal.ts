import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

/** The event with all of the user's alert words, after some were added or removed. Source: docs/interface/events.md#events; docs/interface/events.md#events-about-people. */
export interface StoredAlertWordsEvent extends LogEvent {
  readonly type: 'alert_words'
  readonly alert_words: readonly string[]
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    alert_words: StoredAlertWordsEvent
  }
}

export const alertWordsEvent = defineEventType<StoredAlertWordsEvent>({
  type: 'alert_words',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('alert_words'),
    alert_words: v.array(v.string()),
  }),
})

/** Everybody whom the user has muted, with the time in UNIX seconds. Source: docs/interface/events.md#events-about-people. */
export interface StoredMutedUsersEvent extends LogEvent {
  readonly type: 'muted_users'
  readonly muted_users: readonly { readonly id: number; readonly timestamp: number }[]
}

export const mutedUserSchema = v.strictObject({ id: v.number(), timestamp: v.number() })

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    muted_users: StoredMutedUsersEvent
  }
}

export const mutedUsersEvent = defineEventType<StoredMutedUsersEvent>({
  type: 'muted_users',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('muted_users'),
    muted_users: v.array(mutedUserSchema),
  }),
})

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

const navigationViewEnvelope = { id: v.number(), type: v.literal('navigation_view') }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    navigation_view: StoredNavigationViewEvent
  }
}

export const navigationViewEvent = defineEventType<StoredNavigationViewEvent>({
  type: 'navigation_view',
  schema: v.union([
    v.strictObject({
      ...navigationViewEnvelope,
      op: v.literal('add'),
      navigation_view: navigationViewSchema,
    }),
    v.strictObject({
      ...navigationViewEnvelope,
      op: v.literal('update'),
      fragment: v.string(),
      data: v.strictObject({ is_pinned: v.optional(v.boolean()), name: v.optional(v.string()) }),
    }),
    v.strictObject({ ...navigationViewEnvelope, op: v.literal('remove'), fragment: v.string() }),
  ]),
})

/** The event with all hints that the user has not seen yet. Source: docs/interface/events.md#events-about-people. */
export interface StoredOnboardingStepsEvent extends LogEvent {
  readonly type: 'onboarding_steps'
  readonly onboarding_steps: readonly { readonly type: 'one_time_notice'; readonly name: string }[]
}

export const onboardingStepSchema = v.strictObject({ type: v.literal('one_time_notice'), name: v.string() })

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    onboarding_steps: StoredOnboardingStepsEvent
  }
}

export const onboardingStepsEvent = defineEventType<StoredOnboardingStepsEvent>({
  type: 'onboarding_steps',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('onboarding_steps'),
    onboarding_steps: v.array(onboardingStepSchema),
  }),
})
