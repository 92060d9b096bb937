import * as v from 'valibot'
import { groupChange } from '../../api/audit-notes.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonIds } from '../../api/parameter-types.ts'
import { groupAccess, groupPath } from './group-parameters.ts'
import { updateUserGroupMembers } from './update-user-group-members-work.ts'

/** Adds and removes members and subgroups. Source: docs/interface/groups.md#members-and-subgroups. */
export const updateUserGroupMembersEndpoint = defineEndpoint({
  operation: 'update-user-group-members',
  method: 'POST',
  path: '/user_groups/:user_group_id/members',
  access: groupAccess,
  params: {
    ...groupPath,
    add: v.optional(jsonIds),
    delete: v.optional(jsonIds),
    add_subgroups: v.optional(jsonIds),
    delete_subgroups: v.optional(jsonIds),
  },
  returns: v.object({}),
  command: updateUserGroupMembers,
  audit: {
    whenChanged: ({ params }) =>
      groupChange(params, {
        add: params.add ?? [],
        delete: params.delete ?? [],
        add_subgroups: params.add_subgroups ?? [],
        delete_subgroups: params.delete_subgroups ?? [],
      }),
  },
})
