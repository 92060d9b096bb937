import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Role } from '../../permissions/roles.ts'
import { requireMayAdministerUser, requireMayChangeRole } from '../../permissions/user-rules.ts'
import type { Caller } from '../caller.ts'
import { requireUserToAdminister } from './access-user.ts'
import { changeFullName } from './change-full-name.ts'
import { giveRole } from './change-user-role.ts'
import { requireAllowedFullName } from './full-name-rules.ts'
import { requireUserByEmail } from './get-user.ts'
import { findUser, isOnlyOwner, type User } from './user-rows.ts'

export interface UserChanges {
  readonly full_name?: string
  readonly role?: Role
  readonly new_email?: string
}

/** An administrator changes an account, or an owner their bot. Source: core-endpoints 12. */
export const updateUser: Command<Caller, UserChanges & { readonly user_id: number }, void, object> = {
  apply(tx, caller, { user_id, ...changes }) {
    return change(tx, caller, requireUserToAdminister(tx.sql, caller, user_id), changes)
  },
}

/** The same, of the account with this address. */
export const updateUserByEmail: Command<Caller, UserChanges & { readonly email: string }, void, object> = {
  apply(tx, caller, { email, ...changes }) {
    const user = requireUserByEmail(tx, caller, email)
    requireMayAdministerUser(caller.actor, user)
    return change(tx, caller, user, changes)
  },
}

function change(tx: RealmTransaction, caller: Caller, user: User, changes: UserChanges): object {
  const { full_name, role, new_email } = changes
  if (new_email !== undefined) {
    // The right to do so is given to accounts by the server's configuration, and here to none.
    throw new BadRequestError('User not authorized to change user emails')
  }
  if (role !== undefined && role !== user.role) {
    requireMayChangeRole(caller.actor, { ...user, isOnlyOwner: isOnlyOwner(tx.sql, user) }, role)
    giveRole(tx, user, role)
  }
  if (full_name !== undefined && full_name.trim() !== '' && full_name.trim() !== user.fullName) {
    changeFullName(tx, findUser(tx.sql, user.id)!, requireAllowedFullName(tx.sql, full_name, user.id))
  }
  return {}
}
