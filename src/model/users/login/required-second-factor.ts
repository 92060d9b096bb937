import type { Sql } from '../../../core/sql.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { hasSecondFactor, mustHaveSecondFactor } from '../../second-factors/second-factor-state.ts'

/**
 * The step that follows the password: to enter a code, or to set up a factor first if the organization requires one.
 */
export type SecondFactorStep = 'enter' | 'set up'

/** Returns what is to follow the password of this account; undefined when the password is enough. */
export function requiredSecondFactor(sql: Sql, user: User): SecondFactorStep | undefined {
  if (hasSecondFactor(sql, user.id)) return 'enter'
  return mustHaveSecondFactor(sql, user) ? 'set up' : undefined
}
