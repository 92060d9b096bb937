import { toUsers } from '../../core/audience.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Sql } from '../../core/sql.ts'
import type { StoredOnboardingStepsEvent } from '../../events/onboarding-steps.ts'
import type { Caller } from '../caller.ts'
import type { User } from '../users/user-rows.ts'
import { insertSeenStep, listSeenSteps } from './onboarding-step-rows.ts'

/** Hints that clients show once to everybody who is new, by the names that they know them by. */
const STEPS = [
  'visibility_policy_banner',
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
  'intro_resolve_topic',
]

/** Known, and not to be shown: a client that is to show a video that it has no address of waits for ever. */
const VIDEO_STEP = 'navigation_tour_video'

/** A hint as the API shows it. */
export interface OnboardingStep {
  readonly type: 'one_time_notice'
  readonly name: string
}

/** The steps that the user has not seen yet; bots see none. */
export function remainingSteps(sql: Sql, user: User): OnboardingStep[] {
  if (user.botType !== null) return []
  const seen = listSeenSteps(sql, user.id)
  return STEPS.filter((name) => !seen.has(name)).map((name) => ({ type: 'one_time_notice', name }))
}

/** The caller has seen a hint. Source: docs/interface/users.md#onboarding. */
export const markOnboardingStep: Command<Caller, { readonly onboarding_step: string }, void, object> = {
  apply(tx, { user }, { onboarding_step }) {
    if (onboarding_step !== VIDEO_STEP && !STEPS.includes(onboarding_step)) {
      throw new BadRequestError(`Unknown onboarding_step: ${onboarding_step}`)
    }
    insertSeenStep(tx.sql, user.id, onboarding_step)
    const event: StoredOnboardingStepsEvent = {
      type: 'onboarding_steps',
      onboarding_steps: remainingSteps(tx.sql, user),
    }
    tx.emit(event, toUsers(user.id))
    return {}
  },
}
