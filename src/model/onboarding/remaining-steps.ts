import type { Sql } from '../../core/sql.ts'
import { listSeenSteps } from '../../store/personal/personal-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

/** Names of hints that clients show once to every new user. */
export const STEPS = [
  'visibility_policy_banner',
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
  'intro_resolve_topic',
]

interface OnboardingStep {
  readonly type: 'one_time_notice'
  readonly name: string
}

/** Returns the steps that the user has not seen yet; bots see none. */
export function remainingSteps(sql: Sql, user: User): OnboardingStep[] {
  if (user.botType !== null) return []
  const seen = listSeenSteps(sql, user.id)
  return STEPS.filter((name) => !seen.has(name)).map((name) => ({ type: 'one_time_notice', name }))
}
