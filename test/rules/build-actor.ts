import type { Actor } from '../../src/rules/access.ts'
import { groupIdsOf } from '../../src/rules/in-group.ts'
import { isGuest, ROLES, type Role } from '../../src/rules/roles.ts'

/** Returns an active, human, full member, unless the case says otherwise. */
export function buildActor(
  change: Partial<Omit<Actor, 'groupIds'>> & { groups?: number[]; groupIds?: ReadonlySet<number> } = {},
): Actor {
  const { groups = [], ...given } = change
  const role: Role = given.role ?? ROLES.member
  const id = given.id ?? 10
  const isFullMember = given.isFullMember ?? !isGuest({ role })
  return {
    id,
    role,
    isBot: false,
    botOwnerId: null,
    isActive: true,
    isFullMember,
    groupIds: groupIdsOf(
      { id, role, isFullMember },
      { groupsOfMember: () => groups, groupsOfSubgroup: () => [] },
    ),
    ...given,
  }
}

export const owner = buildActor({ id: 1, role: ROLES.owner })
export const administrator = buildActor({ id: 2, role: ROLES.administrator })
export const moderator = buildActor({ id: 3, role: ROLES.moderator })
export const member = buildActor({ id: 4 })
export const newMember = buildActor({ id: 5, isFullMember: false })
export const guest = buildActor({ id: 6, role: ROLES.guest })
export const bot = buildActor({ id: 7, isBot: true, botOwnerId: member.id })
export const everybody = { owner, administrator, moderator, member, newMember, guest, bot }
