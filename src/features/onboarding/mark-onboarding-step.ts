import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import { toUsers } from '../../core/audience.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredOnboardingStepsEvent } from '../../events/personal.ts'
import type { Caller } from '../../model/caller.ts'
import { remainingSteps, STEPS } from '../../model/onboarding/remaining-steps.ts'
import { insertSeenStep } from '../../store/personal/personal-rows.ts'

/** Marks a hint as seen by the caller. Source: docs/interface/users.md#onboarding. */
export const markOnboardingStepEndpoint = defineEndpoint({
  operation: 'mark-onboarding-step',
  method: 'POST',
  path: '/users/me/onboarding_steps',
  access: 'human',
  params: { onboarding_step: textUpTo(NAME_LENGTH) },
  returns: v.object({}),
  command: { apply: markOnboardingStep },
  audit: 'own',
})

/** A known step that is never shown: a client would wait for ever for a video that has no address. */
const VIDEO_STEP = 'navigation_tour_video'

function markOnboardingStep(
  tx: RealmTransaction,
  { user }: Caller,
  { onboarding_step }: { readonly onboarding_step: string },
): object {
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
}
