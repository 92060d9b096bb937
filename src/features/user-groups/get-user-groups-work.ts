import type { ReadCommand } from '../../core/command.ts'
import type { IdSet } from '../../core/id-set.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { groupsInSections } from '../../model/register/groups-in-sections.ts'
import {
  accountsInGroups,
  directlyIn,
  directSubgroups,
  withSubgroups,
} from '../../model/user-groups/group-members.ts'
import { requireUser } from '../../model/users/visibility/access-user.ts'
import { requireGroup } from '../../rules/user-group-rules.ts'
import { findGroup } from '../../store/user-groups/user-group-rows.ts'
import { closedAccounts } from '../../store/users/account-set-rows.ts'

/** Commands that read groups and their members. Source: docs/interface/groups.md#list-groups. */

export const getUserGroups: ReadCommand<
  Caller,
  { readonly include_deactivated_groups: boolean },
  void,
  object
> = {
  reads: true,
  apply: (tx, _caller, params) => ({
    user_groups: groupsInSections(tx, { withDeactivated: params.include_deactivated_groups }),
  }),
}

interface MembersParams {
  readonly user_group_id: number
  readonly direct_member_only: boolean
}

export const getUserGroupMembers: ReadCommand<Caller, MembersParams, void, { members: number[] }> = {
  reads: true,
  apply(tx, _caller, { user_group_id, direct_member_only }) {
    const { id } = requireGroup(findGroup(tx.sql, user_group_id))
    return { members: activeMembers(tx, id, direct_member_only).toArray() }
  },
}

function activeMembers({ sql, now }: RealmReads, groupId: number, isDirect: boolean): IdSet {
  const members = isDirect ? directlyIn(sql, groupId, now) : accountsInGroups({ sql, now }, [groupId])
  return members.andNot(closedAccounts(sql))
}

interface IsMemberParams extends MembersParams {
  readonly user_id: number
}

export const getIsUserGroupMember: ReadCommand<
  Caller,
  IsMemberParams,
  void,
  { is_user_group_member: boolean }
> = {
  reads: true,
  apply(tx, _caller, { user_group_id, user_id, direct_member_only }) {
    const { id } = requireGroup(findGroup(tx.sql, user_group_id))
    requireUser(tx.sql, user_id)
    return { is_user_group_member: activeMembers(tx, id, direct_member_only).has(user_id) }
  },
}

interface SubgroupsParams {
  readonly user_group_id: number
  readonly direct_subgroup_only: boolean
}

export const getUserGroupSubgroups: ReadCommand<Caller, SubgroupsParams, void, { subgroups: number[] }> = {
  reads: true,
  apply(tx, _caller, { user_group_id, direct_subgroup_only }) {
    const { id } = requireGroup(findGroup(tx.sql, user_group_id))
    const all = direct_subgroup_only
      ? directSubgroups(tx.sql, id)
      : [...withSubgroups(tx.sql, [id])].filter((subgroup) => subgroup !== id)
    return { subgroups: all.sort((a, b) => a - b) }
  },
}
