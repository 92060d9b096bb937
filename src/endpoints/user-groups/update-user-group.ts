import * as v from 'valibot'
import { updateUserGroup } from '../../domain/user-groups/update-user-group.ts'
import { changesIn, groupChange } from '../audit-log/audit-notes.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../input-limits.ts'
import { jsonBoolean, textUpTo } from '../parameter-types.ts'
import { groupAccess, groupPath, groupSettingChanges } from './group-parameters.ts'

/**
 * Changes a user group, or reactivates a deactivated one. Source: docs/interface/groups.md#change-a-group.
 */
export const updateUserGroupEndpoint = defineEndpoint({
  operation: 'update-user-group',
  method: 'PATCH',
  path: '/user_groups/:user_group_id',
  access: groupAccess,
  params: {
    ...groupPath,
    name: v.optional(textUpTo(NAME_LENGTH)),
    description: v.optional(textUpTo(DESCRIPTION_LENGTH)),
    ...groupSettingChanges,
    deactivated: v.optional(jsonBoolean),
  },
  returns: v.object({}),
  command: updateUserGroup,
  audit: { whenChanged: ({ params }) => groupChange(params, changesIn(params)) },
})
