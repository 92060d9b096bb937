import * as v from 'valibot'
import { groupChange } from '../../api/audit-notes.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { ApiError, BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { deactivateGroup } from '../../model/user-groups/change-group.ts'
import { usesOfGroup } from '../../model/user-groups/group-uses.ts'
import { requireMayManageGroup } from '../../rules/user-group-rules.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { findGroup } from '../../store/user-groups/user-group-rows.ts'
import { groupAccess, groupPath } from './group-parameters.ts'

/**
 * Deactivates a group; it can be reactivated (update-user-group).
 * @throws CANNOT_DEACTIVATE_GROUP_IN_USE with everything that still names it. Source:
 * docs/interface/groups.md#deactivate-a-group.
 */
export const deactivateUserGroupEndpoint = defineEndpoint({
  operation: 'deactivate-user-group',
  method: 'POST',
  path: '/user_groups/:user_group_id/deactivate',
  access: groupAccess,
  params: groupPath,
  returns: v.object({}),
  command: { apply: deactivateUserGroup },
  audit: { whenChanged: ({ params }) => groupChange(params, { deactivated: true }) },
})

function deactivateUserGroup(
  tx: RealmTransaction,
  { actor }: Caller,
  { user_group_id: id }: { readonly user_group_id: number },
): object {
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
}
