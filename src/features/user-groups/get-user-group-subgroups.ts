import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean } from '../../api/parameter-types.ts'
import { getUserGroupSubgroups } from './get-user-groups.ts'
import { groupPath } from './group-parameters.ts'

/**
 * Lists the subgroups of a group, by default also theirs. Source:
 * docs/interface/groups.md#members-and-subgroups.
 */
export const getUserGroupSubgroupsEndpoint = defineEndpoint({
  operation: 'get-user-group-subgroups',
  method: 'GET',
  path: '/user_groups/:user_group_id/subgroups',
  access: 'member',
  params: { ...groupPath, direct_subgroup_only: v.optional(jsonBoolean, 'false') },
  returns: v.object({ subgroups: v.array(v.number()) }),
  command: { reads: true, apply: getUserGroupSubgroups },
})
