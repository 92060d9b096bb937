import type { Sql } from '../../core/sql.ts'
import { type HasRole, isAdministrator, isOwner } from '../../rules/roles.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import {
  findTotp,
  hasAnybodyPasskey,
  hasAnybodyTotp,
  hasPasskey,
} from '../../store/second-factors/second-factor-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

/** Whether the account needs an authenticator app or a passkey after the password. */
export function hasSecondFactor(sql: Sql, userId: number): boolean {
  return hasConfirmedTotp(sql, userId) || hasPasskey(sql, userId)
}

/** Whether any user of the organization has a second factor, or has to have one. */
export function usesSecondFactors(sql: Sql): boolean {
  return (
    realmProperty(sql, 'second_factor_required_for') !== 'nobody' ||
    hasAnybodyTotp(sql) ||
    hasAnybodyPasskey(sql)
  )
}

export function hasConfirmedTotp(sql: Sql, userId: number): boolean {
  return findTotp(sql, userId)?.isConfirmed === true
}

/** Whether the organization requires this person to have a second factor. */
export function mustHaveSecondFactor(sql: Sql, user: Pick<User, 'role' | 'botType'>): boolean {
  return user.botType === null && isCovered(user, realmProperty(sql, 'second_factor_required_for'))
}

function isCovered(user: HasRole, whom: 'nobody' | 'owners' | 'administrators' | 'everybody'): boolean {
  switch (whom) {
    case 'nobody':
      return false
    case 'owners':
      return isOwner(user)
    case 'administrators':
      return isAdministrator(user)
    case 'everybody':
      return true
  }
}
