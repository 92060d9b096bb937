import type { Endpoint } from '../../api/define-endpoint.ts'
import {
  getIsUserGroupMemberEndpoint,
  getUserGroupMembersEndpoint,
  getUserGroupSubgroupsEndpoint,
  updateUserGroupMembersEndpoint,
  updateUserGroupSubgroupsEndpoint,
} from './user-group-members.ts'
import {
  createUserGroupEndpoint,
  deactivateUserGroupEndpoint,
  getUserGroupsEndpoint,
  updateUserGroupEndpoint,
} from './user-groups.ts'

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
