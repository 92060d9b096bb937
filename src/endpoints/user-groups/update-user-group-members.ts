import * as v from 'valibot'
import { updateUserGroupMembers } from '../../domain/user-groups/update-user-group-members.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonIntegers } from '../parameter-types.ts'
import { groupAccess, groupPath } from './group-parameters.ts'

/** Adds and removes members and subgroups. Source: core-endpoints 16. */
export const updateUserGroupMembersEndpoint = defineEndpoint({
  operation: 'update-user-group-members',
  method: 'POST',
  path: '/user_groups/:user_group_id/members',
  access: groupAccess,
  params: {
    ...groupPath,
    add: v.optional(jsonIntegers),
    delete: v.optional(jsonIntegers),
    add_subgroups: v.optional(jsonIntegers),
    delete_subgroups: v.optional(jsonIntegers),
  },
  returns: v.object({}),
  command: updateUserGroupMembers,
})
