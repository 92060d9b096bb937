import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import { toUsers } from '../../core/audience.ts'
import { BadRequestError } from '../../core/errors.ts'
import { remainingSteps, STEPS } from '../../model/onboarding/remaining-steps.ts'
import { insertSeenStep } from '../../store/personal/personal-rows.ts'

/** Marks a hint as seen by the caller. Source: docs/interface/users.md#onboarding. */
export const markOnboardingStepEndpoint = defineEndpoint({
  operation: 'mark-onboarding-step',
  route: 'POST /users/me/onboarding_steps',
  access: 'human',
  madeInCopies: true,
  params: { onboarding_step: textUpTo(NAME_LENGTH) },
  apply(tx, { user }, { onboarding_step }) {
    if (onboarding_step !== VIDEO_STEP && !STEPS.includes(onboarding_step)) {
      throw new BadRequestError(`Unknown onboarding_step: ${onboarding_step}`)
    }
    insertSeenStep(tx.sql, user.id, onboarding_step)
    tx.emit({ type: 'onboarding_steps', onboarding_steps: remainingSteps(tx.sql, user) }, toUsers(user.id))
  },
  audit: 'own',
})

/** A known step that is never shown: a client would wait forever for a video that has no URL. */
const VIDEO_STEP = 'navigation_tour_video'
