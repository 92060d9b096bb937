import * as v from 'valibot'
import { markOnboardingStep } from '../../domain/onboarding/onboarding-steps.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { textUpTo } from '../parameter-types.ts'

/** Marks a hint as seen by the caller. Source: docs/interface/users.md#onboarding. */
export const markOnboardingStepEndpoint = defineEndpoint({
  operation: 'mark-onboarding-step',
  method: 'POST',
  path: '/users/me/onboarding_steps',
  access: 'human',
  params: { onboarding_step: textUpTo(NAME_LENGTH) },
  returns: v.object({}),
  command: markOnboardingStep,
  audit: 'own',
})
