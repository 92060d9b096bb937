import type { Endpoint } from '../../api/define-endpoint.ts'
import { createUserGroupEndpoint } from './create-user-group.ts'
import { deactivateUserGroupEndpoint } from './deactivate-user-group.ts'
import { getIsUserGroupMemberEndpoint } from './get-is-user-group-member.ts'
import { getUserGroupMembersEndpoint } from './get-user-group-members.ts'
import { getUserGroupSubgroupsEndpoint } from './get-user-group-subgroups.ts'
import { getUserGroupsEndpoint } from './get-user-groups.ts'
import { updateUserGroupEndpoint } from './update-user-group.ts'
import { updateUserGroupMembersEndpoint } from './update-user-group-members.ts'
import { updateUserGroupSubgroupsEndpoint } from './update-user-group-subgroups.ts'

export const USER_GROUP_ENDPOINTS: readonly Endpoint[] = [
  createUserGroupEndpoint,
  deactivateUserGroupEndpoint,
  getIsUserGroupMemberEndpoint,
  getUserGroupMembersEndpoint,
  getUserGroupSubgroupsEndpoint,
  getUserGroupsEndpoint,
  updateUserGroupEndpoint,
  updateUserGroupMembersEndpoint,
  updateUserGroupSubgroupsEndpoint,
]
