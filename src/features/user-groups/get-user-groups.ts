import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean } from '../../api/parameter-types.ts'
import type { IdSet } from '../../core/id-set.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { userGroupSchema } from '../../events/user-group.ts'
import type { Caller } from '../../model/caller.ts'
import { groupsInSections } from '../../model/register/groups-in-sections.ts'
import {
  accountsInGroups,
  directlyIn,
  directSubgroups,
  withSubgroups,
} from '../../model/user-groups/group-members.ts'
import { requireUser } from '../../model/users/visibility/visible-users.ts'
import { requireGroup } from '../../rules/user-group-rules.ts'
import { findGroup } from '../../store/user-groups/user-group-rows.ts'
import { closedAccounts } from '../../store/users/account-set-rows.ts'

/**
 * Lists all groups, system groups included. Guests get them only from register. Source:
 * docs/interface/groups.md#list-groups.
 */
export const getUserGroupsEndpoint = defineEndpoint({
  operation: 'get-user-groups',
  method: 'GET',
  path: '/user_groups',
  access: 'member',
  params: { include_deactivated_groups: v.optional(jsonBoolean, 'false') },
  returns: v.object({ user_groups: v.array(userGroupSchema) }),
  command: { reads: true, apply: getUserGroups },
  largeAnswer: true,
  answersInSections: true,
})

/** Commands that read groups and their members. Source: docs/interface/groups.md#list-groups. */

function getUserGroups(
  tx: RealmReads,
  _caller: Caller,
  params: { readonly include_deactivated_groups: boolean },
): object {
  return {
    user_groups: groupsInSections(tx, { withDeactivated: params.include_deactivated_groups }),
  }
}

interface MembersParams {
  readonly user_group_id: number
  readonly direct_member_only: boolean
}

export function getUserGroupMembers(
  tx: RealmReads,
  _caller: Caller,
  { user_group_id, direct_member_only }: MembersParams,
): { members: number[] } {
  const { id } = requireGroup(findGroup(tx.sql, user_group_id))
  return { members: activeMembers(tx, id, direct_member_only).toArray() }
}

function activeMembers({ sql, now }: RealmReads, groupId: number, isDirect: boolean): IdSet {
  const members = isDirect ? directlyIn(sql, groupId, now) : accountsInGroups({ sql, now }, [groupId])
  return members.andNot(closedAccounts(sql))
}

interface IsMemberParams extends MembersParams {
  readonly user_id: number
}

export function getIsUserGroupMember(
  tx: RealmReads,
  _caller: Caller,
  { user_group_id, user_id, direct_member_only }: IsMemberParams,
): { is_user_group_member: boolean } {
  const { id } = requireGroup(findGroup(tx.sql, user_group_id))
  requireUser(tx.sql, user_id)
  return { is_user_group_member: activeMembers(tx, id, direct_member_only).has(user_id) }
}

interface SubgroupsParams {
  readonly user_group_id: number
  readonly direct_subgroup_only: boolean
}

export function getUserGroupSubgroups(
  tx: RealmReads,
  _caller: Caller,
  { user_group_id, direct_subgroup_only }: SubgroupsParams,
): { subgroups: number[] } {
  const { id } = requireGroup(findGroup(tx.sql, user_group_id))
  const all = direct_subgroup_only
    ? directSubgroups(tx.sql, id)
    : [...withSubgroups(tx.sql, [id])].filter((subgroup) => subgroup !== id)
  return { subgroups: all.sort((a, b) => a - b) }
}
