import type { Command } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { insufficientPermission, requireOwner } from '../../../permissions/role-rules.ts'
import { isAdministrator, isOwner, type Role } from '../../../permissions/roles.ts'
import { requireMayAdministerUser, requireMayChangeRole } from '../../../permissions/user-rules.ts'
import type { Caller } from '../../caller.ts'
import { changeProfileData, type ProfileDatum } from '../../profile-fields/change-profile-data.ts'
import { changeEmail } from '../addresses/change-email.ts'
import { isEmailAddress } from '../addresses/email-rules.ts'
import { addressProblem } from '../addresses/new-address.ts'
import { changeFullName } from '../profile/change-full-name.ts'
import { requireAllowedFullName } from '../profile/full-name-rules.ts'
import { requireUserByEmail } from '../read/get-user.ts'
import { findUser, isOnlyOwner, type User } from '../user-rows.ts'
import { requireUserToAdminister } from '../visibility/access-user.ts'
import { mayChangeEmails } from './account-grants.ts'
import { giveRole } from './change-user-role.ts'

export interface UserChanges {
  readonly full_name?: string
  readonly role?: Role
  readonly new_email?: string
  readonly profile_data?: readonly ProfileDatum[]
}

/**
 * Changes an account, for administrators, or for the owner of a bot. Source:
 * docs/interface/users.md#change-a-user.
 */
export const updateUser: Command<Caller, UserChanges & { readonly user_id: number }, void, object> = {
  apply(tx, caller, { user_id, ...changes }) {
    return change(tx, caller, requireUserToAdminister(tx.sql, caller, user_id), changes)
  },
}

/** Changes the account with this address. */
export const updateUserByEmail: Command<Caller, UserChanges & { readonly email: string }, void, object> = {
  apply(tx, caller, { email, ...changes }) {
    const user = requireUserByEmail(tx, caller, email)
    requireMayAdministerUser(caller.actor, user)
    return change(tx, caller, user, changes)
  },
}

function change(tx: RealmTransaction, caller: Caller, user: User, changes: UserChanges): object {
  const { full_name, role, new_email, profile_data } = changes
  if (new_email !== undefined) changeAddress(tx, caller, user, new_email.trim())
  if (role !== undefined && role !== user.role) {
    requireMayChangeRole(caller.actor, { ...user, isOnlyOwner: isOnlyOwner(tx.sql, user) }, role)
    giveRole(tx, user, role)
  }
  if (full_name !== undefined && full_name.trim() !== '' && full_name.trim() !== user.fullName) {
    changeFullName(tx, findUser(tx.sql, user.id)!, requireAllowedFullName(tx.sql, full_name, user.id))
  }
  // Bots have no profiles.
  if (profile_data !== undefined && user.botType === null) changeProfileData(tx, caller, user, profile_data)
  return {}
}

/** Changes a user's address at once, without a confirmation: a right that single accounts have. */
function changeAddress(tx: RealmTransaction, caller: Caller, user: User, address: string): void {
  if (!mayChangeEmails(caller.user, caller.source) || !isAdministrator(caller.user)) {
    throw new BadRequestError('User not authorized to change user emails')
  }
  // A caller who changes an address can then have a new password sent to it.
  if (isOwner(user)) requireOwner(caller.actor)
  if (user.botType !== null) throw insufficientPermission()
  if (address === user.deliveryEmail) return
  if (!isEmailAddress(address)) throw new BadRequestError('Invalid new email address.')
  const problem = addressProblem(tx.sql, user, address)
  if (problem !== undefined) throw new BadRequestError(`New email value error: ${problem}`)
  changeEmail(tx, user, address)
}
