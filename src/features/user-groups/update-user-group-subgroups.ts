import * as v from 'valibot'
import { groupChange } from '../../api/audit-notes.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonIds } from '../../api/parameter-types.ts'
import { groupAccess, groupPath } from './group-parameters.ts'
import { updateUserGroupSubgroups } from './update-user-group-members.ts'

/** Adds and removes subgroups. Source: docs/interface/groups.md#members-and-subgroups. */
export const updateUserGroupSubgroupsEndpoint = defineEndpoint({
  operation: 'update-user-group-subgroups',
  method: 'POST',
  path: '/user_groups/:user_group_id/subgroups',
  access: groupAccess,
  params: { ...groupPath, add: v.optional(jsonIds), delete: v.optional(jsonIds) },
  returns: v.object({}),
  command: { apply: updateUserGroupSubgroups },
  audit: {
    whenChanged: ({ params }) =>
      groupChange(params, { add_subgroups: params.add ?? [], delete_subgroups: params.delete ?? [] }),
  },
})
