import type { Command } from '../../core/command.ts'
import type { Role } from '../../permissions/roles.ts'
import { requireMayChangeRole } from '../../permissions/user-rules.ts'
import type { Caller } from '../caller.ts'
import { requireUserToAdminister } from './access-user.ts'
import { giveRole } from './change-user-role.ts'
import { isOnlyOwner } from './user-rows.ts'

export interface UpdateUserParams {
  readonly user_id: number
  readonly role?: Role
}

/** An administrator changes an account, or an owner their bot. Source: core-endpoints 12. */
export const updateUser: Command<Caller, UpdateUserParams, void, object> = {
  apply(tx, caller, { user_id, role }) {
    const user = requireUserToAdminister(tx.sql, caller, user_id)
    if (role !== undefined && role !== user.role) {
      requireMayChangeRole(caller.actor, { ...user, isOnlyOwner: isOnlyOwner(tx.sql, user) }, role)
      giveRole(tx, user, role)
    }
    return {}
  },
}
