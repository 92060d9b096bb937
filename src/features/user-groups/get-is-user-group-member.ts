import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean, pathInteger } from '../../api/parameter-types.ts'
import { getIsUserGroupMember } from './get-user-groups.ts'
import { groupPath } from './group-parameters.ts'

/** Says whether a user is in a group. Source: docs/interface/groups.md#list-groups. */
export const getIsUserGroupMemberEndpoint = defineEndpoint({
  operation: 'get-is-user-group-member',
  method: 'GET',
  path: '/user_groups/:user_group_id/members/:user_id',
  access: 'member',
  params: { ...groupPath, user_id: pathInteger, direct_member_only: v.optional(jsonBoolean, 'false') },
  returns: v.object({ is_user_group_member: v.boolean() }),
  command: { reads: true, apply: getIsUserGroupMember },
})
