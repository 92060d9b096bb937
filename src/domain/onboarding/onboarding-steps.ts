import { toUsers } from '../../core/audience.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { StoredOnboardingStepsEvent } from '../../events/onboarding-steps.ts'
import type { Caller } from '../caller.ts'
import { insertSeenStep } from './onboarding-step-rows.ts'
import { remainingSteps, STEPS } from './remaining-steps.ts'

/** A known step that is never shown: a client would wait for ever for a video that has no address. */
const VIDEO_STEP = 'navigation_tour_video'

/** Marks a hint as seen by the caller. Source: docs/interface/users.md#onboarding. */
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
