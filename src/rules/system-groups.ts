import { type HasRole, ROLES } from './roles.ts'

/**
 * The eight groups that exist in every organization and that nobody can edit. Their ids are their positions in this list; the ids of other
 * groups follow. Source: docs/interface/access.md#system-groups.
 */
export const SYSTEM_GROUPS = [
  { id: 1, name: 'role:nobody', directSubgroup: null },
  { id: 2, name: 'role:owners', directSubgroup: null },
  { id: 3, name: 'role:administrators', directSubgroup: 'role:owners' },
  { id: 4, name: 'role:moderators', directSubgroup: 'role:administrators' },
  { id: 5, name: 'role:fullmembers', directSubgroup: 'role:moderators' },
  { id: 6, name: 'role:members', directSubgroup: 'role:fullmembers' },
  { id: 7, name: 'role:everyone', directSubgroup: 'role:members' },
  { id: 8, name: 'role:internet', directSubgroup: 'role:everyone' },
] as const

export type SystemGroup = (typeof SYSTEM_GROUPS)[number]
export type SystemGroupName = SystemGroup['name']

const idByName = new Map<string, number>(SYSTEM_GROUPS.map(({ name, id }) => [name, id]))

export function systemGroupId(name: SystemGroupName): number {
  return idByName.get(name)!
}

export function systemGroupById(id: number): SystemGroup | undefined {
  return SYSTEM_GROUPS.find((group) => group.id === id)
}

export function isSystemGroupId(id: number): boolean {
  return systemGroupById(id) !== undefined
}

/**
 * Returns the system groups of which a user is a *direct* member. A full member with the member role is in two; higher roles are full
 * members through the chain of subgroups. The group of the role comes first.
 */
export function directSystemGroupsOf(user: HasRole & { readonly isFullMember: boolean }): SystemGroupName[] {
  switch (user.role) {
    case ROLES.owner:
      return ['role:owners']
    case ROLES.administrator:
      return ['role:administrators']
    case ROLES.moderator:
      return ['role:moderators']
    case ROLES.member:
      return user.isFullMember ? ['role:members', 'role:fullmembers'] : ['role:members']
    case ROLES.guest:
      return ['role:everyone']
  }
}
