import * as v from 'valibot'
import { deactivateUserGroup } from '../../domain/user-groups/deactivate-user-group.ts'
import { groupChange } from '../audit-log/audit-notes.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { groupAccess, groupPath } from './group-parameters.ts'

/** Deactivates a user group. Source: docs/interface/groups.md#deactivate-a-group. */
export const deactivateUserGroupEndpoint = defineEndpoint({
  operation: 'deactivate-user-group',
  method: 'POST',
  path: '/user_groups/:user_group_id/deactivate',
  access: groupAccess,
  params: groupPath,
  returns: v.object({}),
  command: deactivateUserGroup,
  audit: { whenChanged: ({ params }) => groupChange(params, { deactivated: true }) },
})
