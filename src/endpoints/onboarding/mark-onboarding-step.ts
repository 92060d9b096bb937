import * as v from 'valibot'
import { markOnboardingStep } from '../../domain/onboarding/onboarding-steps.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { text } from '../parameter-types.ts'

/** The caller has seen a hint. Source: core-endpoints 15. */
export const markOnboardingStepEndpoint = defineEndpoint({
  operation: 'mark-onboarding-step',
  method: 'POST',
  path: '/users/me/onboarding_steps',
  access: 'human',
  params: { onboarding_step: text },
  returns: v.object({}),
  command: markOnboardingStep,
})
