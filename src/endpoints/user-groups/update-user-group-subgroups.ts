import * as v from 'valibot'
import { updateUserGroupSubgroups } from '../../domain/user-groups/update-user-group-members.ts'
import { groupChange } from '../audit-log/audit-notes.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonIds } from '../parameter-types.ts'
import { groupAccess, groupPath } from './group-parameters.ts'

/** Adds and removes subgroups. Source: docs/interface/groups.md#members-and-subgroups. */
export const updateUserGroupSubgroupsEndpoint = defineEndpoint({
  operation: 'update-user-group-subgroups',
  method: 'POST',
  path: '/user_groups/:user_group_id/subgroups',
  access: groupAccess,
  params: { ...groupPath, add: v.optional(jsonIds), delete: v.optional(jsonIds) },
  returns: v.object({}),
  command: updateUserGroupSubgroups,
  audit: {
    whenChanged: ({ params }) =>
      groupChange(params, { add_subgroups: params.add ?? [], delete_subgroups: params.delete ?? [] }),
  },
})
