import type { Command } from '../../core/command.ts'
import { ApiError, BadRequestError } from '../../core/errors.ts'
import { requireMayManageGroup } from '../../permissions/user-group-rules.ts'
import type { Caller } from '../caller.ts'
import { realmPermissions } from '../realm/realm-setting-rows.ts'
import { deactivateGroup } from './activate-group.ts'
import { usesOfGroup } from './group-uses.ts'
import { findGroup } from './user-group-rows.ts'

/**
 * Deactivates a group; it can be reactivated (update-user-group).
 * @throws CANNOT_DEACTIVATE_GROUP_IN_USE with everything that still names it. Source:
 * docs/interface/groups.md#deactivate-a-group.
 */
export const deactivateUserGroup: Command<Caller, { readonly user_group_id: number }, void, object> = {
  apply(tx, { actor }, { user_group_id: id }) {
    const group = requireMayManageGroup(actor, findGroup(tx.sql, id), realmPermissions(tx.sql))
    if (group.isDeactivated) throw new BadRequestError('User group is deactivated.')
    const objections = tx.use(usesOfGroup, id)
    if (objections.length > 0) {
      throw new ApiError('CANNOT_DEACTIVATE_GROUP_IN_USE', 'Cannot deactivate user group in use.', {
        objections,
      })
    }
    deactivateGroup(tx, group)
    return {}
  },
}
