import type { Sql } from '../../../core/sql.ts'
import type { User } from '../user-rows.ts'

/** What somebody must do after the password: enter a code, or set one up first, since the organization requires one. */
export type SecondFactorStep = 'enter' | 'set up'

/** Returns what is to follow the password of this account; undefined when the password is enough. */
export function requiredSecondFactor(_sql: Sql, _user: User): SecondFactorStep | undefined {
  return undefined
}
