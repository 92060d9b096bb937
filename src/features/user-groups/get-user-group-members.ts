import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean } from '../../api/parameter-types.ts'
import { getUserGroupMembers } from './get-user-groups.ts'
import { groupPath } from './group-parameters.ts'

/**
 * Lists active members of a group, by default also those of subgroups. Source:
 * docs/interface/groups.md#members-and-subgroups.
 */
export const getUserGroupMembersEndpoint = defineEndpoint({
  operation: 'get-user-group-members',
  method: 'GET',
  path: '/user_groups/:user_group_id/members',
  access: 'member',
  params: { ...groupPath, direct_member_only: v.optional(jsonBoolean, 'false') },
  returns: v.object({ members: v.array(v.number()) }),
  command: { reads: true, apply: getUserGroupMembers },
})
