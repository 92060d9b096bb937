import { BadRequestError } from '../../../core/errors.ts'
import type { Sql } from '../../../core/sql.ts'
import { requireMayAdministerUser } from '../../../rules/user-rules.ts'
import { findUser, type User } from '../../../store/users/user-rows.ts'
import type { Caller } from '../../caller.ts'

/** Returns a user; system bots do not count. Throws `No such user`. */
export function requireUser(sql: Sql, id: number): User {
  const user = findUser(sql, id)
  if (!user || user.isSystemBot) throw new BadRequestError('No such user')
  return user
}

/** Returns someone whom the caller may change: people for administrators, one's own bots for everybody. */
export function requireUserToAdminister(sql: Sql, { actor }: Caller, id: number): User {
  const user = requireUser(sql, id)
  requireMayAdministerUser(actor, user)
  return user
}
