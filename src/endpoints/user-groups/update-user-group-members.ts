import * as v from 'valibot'
import { updateUserGroupMembers } from '../../domain/user-groups/update-user-group-members.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonIds } from '../parameter-types.ts'
import { groupAccess, groupPath } from './group-parameters.ts'

/** Adds and removes members and subgroups. Source: core-endpoints 16. */
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
})
