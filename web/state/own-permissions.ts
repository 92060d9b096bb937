import type { Actor } from '../../src/rules/access.ts'
import { hasRealmGrant } from '../../src/rules/grants.ts'
import type { RealmGroupSettingName } from '../../src/rules/group-settings.ts'
import { groupIdsOf } from '../../src/rules/in-group.ts'
import type { ChatState } from './chat-state.ts'
import type { User } from './wire.ts'

/**
 * What the rules of the server (`src/rules`) ask of a user. The page offers what they allow, as far as it knows; a rule with unknown facts
 * says yes, and the server decides.
 */

export function myself({ users, me }: ChatState): User {
  return users.get(me)!
}

/** Returns ids of the user's groups: as a listed member, and upwards through subgroups. */
export function myGroups(state: ChatState): ReadonlySet<number> {
  state.ownGroups ??= groupsOf(state, state.me)
  return state.ownGroups
}

function groupsOf({ groups, users }: ChatState, userId: number): Set<number> {
  const listed: number[] = []
  const above = new Map<number, number[]>()
  for (const { id, members, direct_subgroup_ids } of groups.values()) {
    if (members.has(userId)) listed.push(id)
    for (const inner of direct_subgroup_ids) above.set(inner, [...(above.get(inner) ?? []), id])
  }
  // Full members are listed as such.
  const user = { id: userId, role: users.get(userId)?.role ?? 600, isFullMember: false }
  return groupIdsOf(user, {
    groupsOfMember: () => listed,
    groupsOfSubgroup: (id) => above.get(id) ?? [],
  })
}

function groupIdsIn(state: ChatState, userId: number): ReadonlySet<number> {
  return userId === state.me ? myGroups(state) : groupsOf(state, userId)
}

/** Whether a user is a member of the group, or of one of its subgroups. */
export function isInGroup(state: ChatState, userId: number, groupId: number): boolean {
  return groupIdsIn(state, userId).has(groupId)
}

/** Returns the user as the rules see them. */
export function actorOf(state: ChatState, user: User = myself(state)): Actor {
  return {
    id: user.user_id,
    role: user.role,
    isBot: user.is_bot,
    botOwnerId: user.bot_owner_id,
    isActive: user.is_active,
    groupIds: groupIdsIn(state, user.user_id),
    isFullMember: false,
  }
}

/** Whether the user has one of the organization's permissions, by its API name without `realm_`. */
export function mayInOrganization(state: ChatState, name: RealmGroupSettingName): boolean {
  return hasRealmGrant(actorOf(state), state.organization, name)
}

export function isAdministrator(state: ChatState): boolean {
  return myself(state).is_admin
}

export function isOwner(state: ChatState): boolean {
  return myself(state).is_owner
}
