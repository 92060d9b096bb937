import type { RequestSource } from '../../core/call.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { ROLES, type Role } from '../../rules/roles.ts'
import type { LoginProvider } from '../../store/login-providers/login-provider-rows.ts'
import { groupsListing } from '../../store/user-groups/membership-rows.ts'
import { findGroups } from '../../store/user-groups/user-group-rows.ts'
import { isOnlyOwner, type User } from '../../store/users/user-rows.ts'
import { hasRoom } from '../quotas/within-quota.ts'
import { changeMembership } from '../user-groups/large-membership-change.ts'
import { giveRole } from '../users/accounts/change-user-role.ts'
import type { ProvenPerson } from './proven-person.ts'

/** The groups that a user has joined and left by the provider's claims. */
export interface SyncedGroups {
  readonly added: readonly number[]
  readonly removed: readonly number[]
}

/**
 * Gives a person the role and the groups that the provider's claims stand for, with the events of an administrator's change. Other roles
 * and groups than those to which a value leads are left as they are. Source: docs/interface/login.md#groups-and-roles.
 */
export function syncClaims(
  tx: RealmTransaction,
  provider: LoginProvider,
  user: User,
  person: ProvenPerson,
  source: RequestSource,
): SyncedGroups {
  const role = roleFor(tx, provider, user, person)
  if (role !== user.role) giveRole(tx, user, role)
  return syncGroups(tx, provider, user, person, source)
}

/**
 * Returns the highest role to which the person's values lead. A role above a member's that an earlier value gave ends
 * with that value.
 */
function roleFor(
  { sql }: RealmTransaction,
  { roleClaim, roleMap }: LoginProvider,
  user: User,
  { roles }: ProvenPerson,
): Role {
  if (roleClaim === '' || roles === null || isOnlyOwner(sql, user)) return user.role
  const given = roles.filter((value) => Object.hasOwn(roleMap, value)).map((value) => roleMap[value]!)
  if (given.length > 0) return Math.min(...given) as Role
  const wasGiven = Object.values(roleMap).includes(user.role)
  return wasGiven && user.role < ROLES.member ? ROLES.member : user.role
}

function syncGroups(
  tx: RealmTransaction,
  { groupsClaim, groupMap }: LoginProvider,
  user: User,
  { groups }: ProvenPerson,
  source: RequestSource,
): SyncedGroups {
  if (groupsClaim === '' || groups === null) return { added: [], removed: [] }
  const mapped = findGroups(tx.sql, [...new Set(Object.values(groupMap))])
  const wanted = new Set(
    groups.filter((value) => Object.hasOwn(groupMap, value)).map((value) => groupMap[value]),
  )
  const present = new Set(groupsListing(tx.sql, user.id))
  const open = mapped.filter(({ isDeactivated, isSystem }) => !isDeactivated && !isSystem)
  const removed = open.filter(({ id }) => present.has(id) && !wanted.has(id))
  const added = open.filter(
    ({ id, creatorId }) =>
      wanted.has(id) &&
      !present.has(id) &&
      (creatorId === null || hasRoom(tx, 'groupMembers', creatorId, source)),
  )
  // Made in the user's own name, so that no notice names a cause.
  for (const group of removed) changeMembership(tx, user.id, group, { add: [], remove: [user.id] })
  for (const group of added) changeMembership(tx, user.id, group, { add: [user.id], remove: [] })
  const idsOf = (list: typeof open) => list.map(({ id }) => id)
  return { added: idsOf(added), removed: idsOf(removed) }
}
