import * as v from 'valibot'
import { groupChange } from '../../api/audit-rules.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean, jsonIds, pathInteger } from '../../api/parameter-types.ts'
import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import { BadRequestError } from '../../core/errors.ts'
import { IdSet } from '../../core/id-set.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { changeMembership, membersToCome } from '../../model/group-changes/large-membership-change.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { emitGroupEvent } from '../../model/user-groups/change-group.ts'
import {
  accountsInGroups,
  directlyIn,
  directSubgroups,
  groupsContaining,
  requireActiveUserIds,
  requireSubgroups,
  withSubgroups,
} from '../../model/user-groups/group-members.ts'
import { isAnyPowerful } from '../../model/user-groups/powerful-groups.ts'
import { requireUser } from '../../model/users/visibility/visible-users.ts'
import { withVisibilityEventsOfMembership } from '../../model/visibility/channels-that-a-user-sees.ts'
import {
  requireGroup,
  requireMayAddMembers,
  requireMayAddSubgroups,
  requireMayRemoveMembers,
  requireMayRemoveSubgroups,
} from '../../rules/user-group-rules.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { deleteSubgroups, directMembers, insertSubgroups } from '../../store/user-groups/membership-rows.ts'
import { findGroup, type UserGroup } from '../../store/user-groups/user-group-rows.ts'
import { closedAccounts } from '../../store/users/account-set-rows.ts'
import { groupAccess, groupPath } from './user-groups.ts'

/** Says whether a user is in a group. Source: docs/interface/groups.md#list-groups. */
export const getIsUserGroupMemberEndpoint = defineEndpoint({
  operation: 'get-is-user-group-member',
  route: 'GET /user_groups/:user_group_id/members/:user_id',
  access: 'member',
  params: { ...groupPath, user_id: pathInteger, direct_member_only: v.optional(jsonBoolean, 'false') },
  returns: v.object({ is_user_group_member: v.boolean() }),
  query(tx, _caller, { user_group_id, user_id, direct_member_only }) {
    const { id } = requireGroup(findGroup(tx.sql, user_group_id))
    requireUser(tx.sql, user_id)
    return { is_user_group_member: activeMembers(tx, id, direct_member_only).has(user_id) }
  },
})

function activeMembers({ sql, now }: RealmReads, groupId: number, isDirect: boolean): IdSet {
  const members = isDirect ? directlyIn(sql, groupId, now) : accountsInGroups({ sql, now }, [groupId])
  return members.andNot(closedAccounts(sql))
}

/** Lists a group's active members, by default including those of subgroups. Source: docs/interface/groups.md#members-and-subgroups. */
export const getUserGroupMembersEndpoint = defineEndpoint({
  operation: 'get-user-group-members',
  route: 'GET /user_groups/:user_group_id/members',
  access: 'member',
  params: { ...groupPath, direct_member_only: v.optional(jsonBoolean, 'false') },
  returns: v.object({ members: v.array(v.number()) }),
  query(tx, _caller, { user_group_id, direct_member_only }) {
    const { id } = requireGroup(findGroup(tx.sql, user_group_id))
    return { members: activeMembers(tx, id, direct_member_only).toArray() }
  },
})

/** Lists a group's subgroups, by default including theirs. Source: docs/interface/groups.md#members-and-subgroups. */
export const getUserGroupSubgroupsEndpoint = defineEndpoint({
  operation: 'get-user-group-subgroups',
  route: 'GET /user_groups/:user_group_id/subgroups',
  access: 'member',
  params: { ...groupPath, direct_subgroup_only: v.optional(jsonBoolean, 'false') },
  returns: v.object({ subgroups: v.array(v.number()) }),
  query(tx, _caller, { user_group_id, direct_subgroup_only }) {
    const { id } = requireGroup(findGroup(tx.sql, user_group_id))
    const all = direct_subgroup_only
      ? directSubgroups(tx.sql, id)
      : [...withSubgroups(tx.sql, [id])].filter((subgroup) => subgroup !== id)
    return { subgroups: all.sort((a, b) => a - b) }
  },
})

/**
 * Adds and removes members and subgroups; if there are thousands of members, some of them in later commits. Everything is checked in the
 * first. Source: docs/interface/groups.md#members-and-subgroups.
 */
export const updateUserGroupMembersEndpoint = defineEndpoint({
  operation: 'update-user-group-members',
  route: 'POST /user_groups/:user_group_id/members',
  access: groupAccess,
  needsProofFor: (tx, { user_group_id, add, add_subgroups }) =>
    Boolean(add?.length || add_subgroups?.length) && isAnyPowerful(tx, [user_group_id]),
  params: {
    ...groupPath,
    add: v.optional(jsonIds),
    delete: v.optional(jsonIds),
    add_subgroups: v.optional(jsonIds),
    delete_subgroups: v.optional(jsonIds),
  },
  apply(tx, caller, params) {
    const { add = [], delete: remove = [], add_subgroups = [], delete_subgroups = [] } = params
    if (add.length + remove.length + add_subgroups.length + delete_subgroups.length === 0) {
      throw new BadRequestError(
        'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
      )
    }
    const group = requireGroup(findGroup(tx.sql, params.user_group_id))
    const added = add.length > 0 ? newMembers(tx, caller, group, add) : []
    const removed = remove.length > 0 ? formerMembers(tx, caller, group, remove, added) : []
    changeMembers(tx, caller, group, { add: added, remove: removed })
    if (add_subgroups.length > 0) addSubgroups(tx, caller, group, add_subgroups)
    if (delete_subgroups.length > 0) removeSubgroups(tx, caller, group, delete_subgroups)
  },
  audit: {
    whenChanged: ({ params }) =>
      groupChange(params, {
        add: params.add ?? [],
        delete: params.delete ?? [],
        add_subgroups: params.add_subgroups ?? [],
        delete_subgroups: params.delete_subgroups ?? [],
      }),
  },
})

/** Returns the users to add, if the caller may. */
function newMembers(
  tx: RealmTransaction,
  caller: Caller,
  group: UserGroup,
  given: readonly number[],
): readonly number[] {
  requireMayAddMembers(caller.actor, given, group, realmPermissions(tx.sql))
  const ids = requireActiveUserIds(tx.sql, given)
  const [present] = directMembers(tx.sql, group.id).and(IdSet.of(ids))
  if (present !== undefined) {
    throw new BadRequestError(`User ${present} is already a member of this group`)
  }
  return ids
}

/** Returns the users to remove, if the caller may. `added`: users who are being added by the same request. */
function formerMembers(
  tx: RealmTransaction,
  caller: Caller,
  group: UserGroup,
  given: readonly number[],
  added: readonly number[],
): readonly number[] {
  requireMayRemoveMembers(caller.actor, given, group, realmPermissions(tx.sql))
  const ids = requireActiveUserIds(tx.sql, given)
  const members = directMembers(tx.sql, group.id).or(IdSet.of(added))
  const absent = given.find((id) => !members.has(id))
  if (absent !== undefined) throw new BadRequestError(`There is no member '${absent}' in this user group`)
  return ids
}

function changeMembers(
  tx: RealmTransaction,
  caller: Caller,
  group: UserGroup,
  members: { readonly add: readonly number[]; readonly remove: readonly number[] },
): void {
  const change = () => changeMembership(tx, caller.user.id, group, members)
  if (members.add.length === 0) {
    change()
    return
  }
  const toCome = Math.max(members.add.length - ENTRIES_AT_ONCE, 0) + membersToCome(tx.sql)
  withinQuota(tx, caller, 'groupMembers', change, group.creatorId, toCome)
}

function addSubgroups(
  tx: RealmTransaction,
  caller: Caller,
  group: UserGroup,
  given: readonly number[],
): void {
  requireMayAddSubgroups(caller.actor, group, realmPermissions(tx.sql))
  const subgroups = requireSubgroups(tx.sql, given)
  const present = new Set(directSubgroups(tx.sql, group.id))
  const again = subgroups.find(({ id }) => present.has(id))
  if (again) throw new BadRequestError(`User group ${again.id} is already a subgroup of this group.`)
  // A group must not contain itself, even indirectly.
  const containing = groupsContaining(tx.sql, group.id)
  if (subgroups.some(({ id }) => containing.has(id))) {
    throw new BadRequestError(`User group ${group.id} is already a subgroup of one of the passed subgroups.`)
  }
  const ids = subgroups.map(({ id }) => id)
  const userIds = () => accountsInGroups(tx, ids)
  withVisibilityEventsOfMembership(tx, { groupId: group.id, userIds }, () => {
    withinQuota(tx, caller, 'subgroups', () => insertSubgroups(tx.sql, group.id, ids), group.creatorId)
    emitGroupEvent(tx, { op: 'add_subgroups', group_id: group.id, direct_subgroup_ids: ids })
  })
}

function removeSubgroups(
  tx: RealmTransaction,
  { actor }: Caller,
  group: UserGroup,
  given: readonly number[],
): void {
  requireMayRemoveSubgroups(actor, group, realmPermissions(tx.sql))
  const present = new Set(directSubgroups(tx.sql, group.id))
  for (const id of given) {
    if (!findGroup(tx.sql, id)) throw new BadRequestError(`Invalid user group ID: ${id}`)
    if (!present.has(id)) throw new BadRequestError(`User group ${id} is not a subgroup of this group.`)
  }
  const ids = [...new Set(given)].sort((a, b) => a - b)
  const userIds = () => accountsInGroups(tx, ids)
  withVisibilityEventsOfMembership(tx, { groupId: group.id, userIds }, () => {
    deleteSubgroups(tx.sql, group.id, ids)
    emitGroupEvent(tx, { op: 'remove_subgroups', group_id: group.id, direct_subgroup_ids: ids })
  })
}

/** Adds and removes subgroups. Source: docs/interface/groups.md#members-and-subgroups. */
export const updateUserGroupSubgroupsEndpoint = defineEndpoint({
  operation: 'update-user-group-subgroups',
  route: 'POST /user_groups/:user_group_id/subgroups',
  access: groupAccess,
  needsProofFor: (tx, { user_group_id, add }) => Boolean(add?.length) && isAnyPowerful(tx, [user_group_id]),
  params: { ...groupPath, add: v.optional(jsonIds), delete: v.optional(jsonIds) },
  apply(tx, caller, params) {
    const { add = [], delete: remove = [] } = params
    if (add.length + remove.length === 0) {
      throw new BadRequestError('Nothing to do. Specify at least one of "add" or "delete".')
    }
    const group = requireGroup(findGroup(tx.sql, params.user_group_id))
    if (add.length > 0) addSubgroups(tx, caller, group, add)
    if (remove.length > 0) removeSubgroups(tx, caller, group, remove)
  },
  audit: {
    whenChanged: ({ params }) =>
      groupChange(params, { add_subgroups: params.add ?? [], delete_subgroups: params.delete ?? [] }),
  },
})
