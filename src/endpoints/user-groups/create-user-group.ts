import * as v from 'valibot'
import { createUserGroup } from '../../domain/user-groups/create-user-group.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../input-limits.ts'
import { jsonIds, textUpTo } from '../parameter-types.ts'
import { groupAccess, groupSettingValues } from './group-parameters.ts'

/** Makes a user group. Source: docs/interface/groups.md#create-a-group. */
export const createUserGroupEndpoint = defineEndpoint({
  operation: 'create-user-group',
  method: 'POST',
  path: '/user_groups/create',
  access: groupAccess,
  growsObject: true,
  params: {
    name: textUpTo(NAME_LENGTH),
    members: jsonIds,
    description: textUpTo(DESCRIPTION_LENGTH),
    subgroups: v.optional(jsonIds),
    ...groupSettingValues,
  },
  returns: v.object({ group_id: v.number() }),
  command: createUserGroup,
  audit: ({ value }) => ({
    action: 'group_created',
    details: { user_group_id: value.group_id },
  }),
})
