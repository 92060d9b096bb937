import { toUsers } from '../../core/audience.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { StoredOnboardingStepsEvent } from '../../events/onboarding-steps.ts'
import type { Caller } from '../caller.ts'
import { insertSeenStep } from './onboarding-step-rows.ts'
import { remainingSteps, STEPS } from './remaining-steps.ts'

/** A step that is known, and not to be shown: a client that is to show a video that it has no address of waits for ever. */
const VIDEO_STEP = 'navigation_tour_video'

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
