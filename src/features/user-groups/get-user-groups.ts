import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean } from '../../api/parameter-types.ts'
import { userGroupSchema } from '../../events/user-group.ts'
import { getUserGroups } from './get-user-groups-work.ts'

/**
 * Lists all groups, system groups included. Guests get them only from register. Source:
 * docs/interface/groups.md#list-groups.
 */
export const getUserGroupsEndpoint = defineEndpoint({
  operation: 'get-user-groups',
  method: 'GET',
  path: '/user_groups',
  access: 'member',
  params: { include_deactivated_groups: v.optional(jsonBoolean, 'false') },
  returns: v.object({ user_groups: v.array(userGroupSchema) }),
  command: getUserGroups,
  largeAnswer: true,
  answersInSections: true,
})
