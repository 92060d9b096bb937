import type { Actor } from './access.ts'
import type { GroupSettingValue } from './group-setting-values.ts'
import type { GroupSetting } from './group-settings.ts'
import { type HasRole, isGuest, ROLES } from './roles.ts'
import { directSystemGroupsOf, SYSTEM_GROUPS, systemGroupId } from './system-groups.ts'

/** Stored links between groups. Links between system groups may be missing. */
export interface GroupLinks {
  /** Groups that list the user as a direct member; it may include all groups above these. */
  groupsOfMember(userId: number): Iterable<number>
  /** Groups that list the group as a direct subgroup; none if they were already included. */
  groupsOfSubgroup(groupId: number): Iterable<number>
}

/**
 * Returns every group that the user is in: by role, as a listed member, and through subgroups. Cycles are refused when subgroups are added,
 * but are harmless here. Source: docs/interface/access.md#system-groups; docs/interface/access.md#permission-values.
 */
export function groupIdsOf(
  user: HasRole & { readonly id: number; readonly isFullMember: boolean },
  links: GroupLinks,
): Set<number> {
  const found = new Set<number>()
  const open = [...directSystemGroupsOf(user).map(systemGroupId), ...links.groupsOfMember(user.id)]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue
    found.add(id)
    open.push(...systemGroupsAbove(id), ...links.groupsOfSubgroup(id))
  }
  return found
}

function systemGroupsAbove(id: number): readonly number[] {
  return ABOVE.get(id) ?? NO_GROUPS
}

const NO_GROUPS: readonly number[] = []

/** The system groups that directly contain a system group. */
const ABOVE = new Map<number, readonly number[]>(
  SYSTEM_GROUPS.map(({ id, name }) => [
    id,
    SYSTEM_GROUPS.filter((group) => group.directSubgroup === name).map((group) => group.id),
  ]),
)

/** The groups that everyone with a role is in, however new the account is, and whatever is stored. */
const BY_ROLE = new Map<number, ReadonlySet<number>>(
  Object.values(ROLES).map((role) => [
    role,
    groupIdsOf(
      { id: 0, role, isFullMember: false },
      { groupsOfMember: () => [], groupsOfSubgroup: () => [] },
    ),
  ]),
)

/** Whether the actor is in a group. Usually the role decides it. */
function isInGroup(actor: Actor, id: number): boolean {
  return BY_ROLE.get(actor.role)?.has(id) === true || actor.groupIds.has(id)
}

/** Whether the value includes the user. Ignores the setting's own limits. */
export function isInGroupValue(actor: Actor, value: GroupSettingValue): boolean {
  if (!actor.isActive) return false
  if (typeof value === 'number') return isInGroup(actor, value)
  return value.direct_members.includes(actor.id) || value.direct_subgroups.some((id) => isInGroup(actor, id))
}

/**
 * Whether the setting's value gives the actor the permission. A guest never has a permission that cannot be given to everyone, not even if
 * listed by id. Source: docs/interface/access.md#permission-values.
 */
export function inGroupSetting(actor: Actor, setting: GroupSetting, value: GroupSettingValue): boolean {
  if (!setting.allowsEveryone && isGuest(actor)) return false
  return isInGroupValue(actor, value)
}
