import type { Actor } from '../../src/rules/access.ts'
import { hasUserGroupGrant, type RealmPermissions } from '../../src/rules/grants.ts'
import type { UserGroupSettingName } from '../../src/rules/group-settings.ts'
import * as rules from '../../src/rules/user-group-rules.ts'
import type { ChatState, UserGroup } from './chat-state.ts'
import { actorOf, mayInOrganization } from './own-permissions.ts'

function passes(
  rule: (actor: Actor, group: rules.UserGroupFacts, realm: RealmPermissions) => boolean,
  state: ChatState,
  group: UserGroup,
): boolean {
  const { id, name, is_system_group: isSystem, deactivated: isDeactivated } = group
  return rule(actorOf(state), { id, name, isSystem, isDeactivated, settings: group }, state.organization)
}

function mayInGroup(state: ChatState, group: UserGroup, name: UserGroupSettingName): boolean {
  return hasUserGroupGrant(actorOf(state), { settings: group }, name)
}

export function mayCreateGroup(state: ChatState): boolean {
  return mayInOrganization(state, 'can_create_groups')
}

export function mayManageGroup(state: ChatState, group: UserGroup): boolean {
  return passes(rules.mayManageGroup, state, group)
}

export function mayAddMembers(state: ChatState, group: UserGroup): boolean {
  return passes(rules.mayAddMembers, state, group)
}

export function mayRemoveMembers(state: ChatState, group: UserGroup): boolean {
  return passes(rules.mayRemoveMembers, state, group)
}

export function mayJoinGroup(state: ChatState, group: UserGroup): boolean {
  return mayAddMembers(state, group) || (!group.is_system_group && mayInGroup(state, group, 'can_join_group'))
}

/** Whether the user could come back after leaving, which may take the permission away. */
export function mayRejoinGroup(state: ChatState, group: UserGroup): boolean {
  const members = new Set(group.members)
  members.delete(state.me)
  const left = { ...group, members }
  const groups = new Map(state.groups).set(group.id, left)
  return mayJoinGroup({ ...state, groups, ownGroups: undefined }, left)
}

export function mayLeaveGroup(state: ChatState, group: UserGroup): boolean {
  return (
    mayRemoveMembers(state, group) || (!group.is_system_group && mayInGroup(state, group, 'can_leave_group'))
  )
}

export function mayMentionGroup(state: ChatState, group: UserGroup): boolean {
  return !group.deactivated && mayInGroup(state, group, 'can_mention_group')
}
