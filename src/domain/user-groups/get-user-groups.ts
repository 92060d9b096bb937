import type { ReadCommand } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { requireGroup } from '../../permissions/user-group-rules.ts'
import type { Caller } from '../caller.ts'
import { groupsInSections } from '../register/groups-in-sections.ts'
import { closedAccounts } from '../users/account-set-rows.ts'
import { findUser } from '../users/user-rows.ts'
import { accountsInGroups, directSubgroups, directSystemGroups, withSubgroups } from './group-members.ts'
import { groupsListing } from './membership-rows.ts'
import { presentUserGroups } from './present-user-group.ts'
import { findGroup } from './user-group-rows.ts'

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
    const group = requireGroup(findGroup(tx.sql, user_group_id))
    const members = direct_member_only
      ? [...presentUserGroups(tx, [group])[0]!.members]
      : accountsInGroups(tx, [group.id]).andNot(closedAccounts(tx.sql)).toArray()
    return { members }
  },
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
  apply({ sql, now }, _caller, { user_group_id, user_id, direct_member_only }) {
    const { id } = requireGroup(findGroup(sql, user_group_id))
    const user = findUser(sql, user_id)
    if (!user || user.isSystemBot) throw new BadRequestError('No such user')
    const groups = direct_member_only ? new Set([id]) : withSubgroups(sql, [id])
    const own = [...groupsListing(sql, user.id), ...directSystemGroups(sql, user, now)]
    return { is_user_group_member: user.isActive && own.some((group) => groups.has(group)) }
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
