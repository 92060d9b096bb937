import { BadRequestError } from '../core/errors.ts'
import type { Actor } from './access.ts'
import {
  hasRealmGrant,
  hasUserGroupGrant,
  type RealmPermissions,
  type UserGroupPermissions,
} from './grants.ts'
import { insufficientPermission } from './roles.ts'

/**
 * Rules for creating, managing, joining and leaving user groups. Administrators have no special rights. Guests are refused earlier
 * (access). Source: docs/interface/groups.md#change-a-group; docs/interface/groups.md#create-a-group;
 * docs/decisions/interface.md#channels-groups-people.
 */
export interface UserGroupFacts {
  readonly id: number
  readonly name: string
  readonly isSystem: boolean
  readonly isDeactivated: boolean
  readonly settings: UserGroupPermissions
}

/** The permissions of a group by which its members can become more: whoever has one of them can take part in what the group may do. */
export const LETS_INTO_GROUP = ['can_add_members_group', 'can_join_group', 'can_manage_group'] as const

export function requireMayCreateGroup(actor: Actor, realm: RealmPermissions): void {
  if (!hasRealmGrant(actor, realm, 'can_create_groups')) throw insufficientPermission()
}

export function mayManageGroup(actor: Actor, group: UserGroupFacts, realm: RealmPermissions): boolean {
  if (group.isSystem) return false
  return (
    hasRealmGrant(actor, realm, 'can_manage_all_groups') ||
    hasUserGroupGrant(actor, group, 'can_manage_group')
  )
}

/** Returns the group. A deactivated one may be edited. */
export function requireMayManageGroup<Group extends UserGroupFacts>(
  actor: Actor,
  group: Group | undefined,
  realm: RealmPermissions,
): Group {
  const found = requireGroup(group)
  if (!mayManageGroup(actor, found, realm)) throw insufficientPermission()
  return found
}

export function requireGroup<Group extends UserGroupFacts>(group: Group | undefined): Group {
  if (group === undefined) throw new BadRequestError('Invalid user group')
  return group
}

export function mayAddMembers(actor: Actor, group: UserGroupFacts, realm: RealmPermissions): boolean {
  if (group.isSystem) return false
  return mayManageGroup(actor, group, realm) || hasUserGroupGrant(actor, group, 'can_add_members_group')
}

export function mayRemoveMembers(actor: Actor, group: UserGroupFacts, realm: RealmPermissions): boolean {
  if (group.isSystem) return false
  return mayManageGroup(actor, group, realm) || hasUserGroupGrant(actor, group, 'can_remove_members_group')
}

/** Requires the right to add members. The right to join covers only oneself, and no list that includes others. */
export function requireMayAddMembers(
  actor: Actor,
  userIds: readonly number[],
  group: UserGroupFacts,
  realm: RealmPermissions,
): void {
  if (mayAddMembers(actor, group, realm)) return
  const mayJoin = !group.isSystem && hasUserGroupGrant(actor, group, 'can_join_group')
  if (!mayJoin || !isOnlySelf(actor, userIds)) throw insufficientPermission()
}

export function requireMayRemoveMembers(
  actor: Actor,
  userIds: readonly number[],
  group: UserGroupFacts,
  realm: RealmPermissions,
): void {
  if (mayRemoveMembers(actor, group, realm)) return
  const mayLeave = !group.isSystem && hasUserGroupGrant(actor, group, 'can_leave_group')
  if (!mayLeave || !isOnlySelf(actor, userIds)) throw insufficientPermission()
}

function isOnlySelf(actor: Actor, userIds: readonly number[]): boolean {
  return userIds.length > 0 && userIds.every((id) => id === actor.id)
}

/** Requires the right to add subgroups. A subgroup adds all its present and future members, so the right to join does not cover it. */
export function requireMayAddSubgroups(actor: Actor, group: UserGroupFacts, realm: RealmPermissions): void {
  if (!mayAddMembers(actor, group, realm)) throw insufficientPermission()
}

export function requireMayRemoveSubgroups(
  actor: Actor,
  group: UserGroupFacts,
  realm: RealmPermissions,
): void {
  if (!mayRemoveMembers(actor, group, realm)) throw insufficientPermission()
}
