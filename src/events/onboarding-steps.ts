import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

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
