import type { Endpoint } from '../define-endpoint.ts'
import { markOnboardingStepEndpoint } from './mark-onboarding-step.ts'

export const ONBOARDING_ENDPOINTS: readonly Endpoint[] = [markOnboardingStepEndpoint]
