import type { Endpoint } from '../../api/define-endpoint.ts'
import { markOnboardingStepEndpoint } from './mark-onboarding-step.ts'

export const ONBOARDING_ENDPOINTS: readonly Endpoint[] = [markOnboardingStepEndpoint]
