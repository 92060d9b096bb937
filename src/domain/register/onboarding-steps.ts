import { remainingSteps } from '../onboarding/remaining-steps.ts'
import type { Snapshot } from './snapshot.ts'

/** Keys of `onboarding_steps`. There is no video. */
export const onboardingStepsSnapshot: Snapshot = ({ sql }, { user }) => ({
  onboarding_steps: remainingSteps(sql, user),
  navigation_tour_video_url: null,
})
