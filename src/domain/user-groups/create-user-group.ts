import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import type { Command } from '../../core/command.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { UserGroupPermissions } from '../../permissions/grants.ts'
import {
  defaultGroupSettingValue,
  type GroupSettingValue,
  requireValidGroupSetting,
} from '../../permissions/group-setting-values.ts'
import { USER_GROUP_SETTINGS, type UserGroupSettingName } from '../../permissions/group-settings.ts'
import { requireMayCreateGroup } from '../../permissions/user-group-rules.ts'
import type { Caller } from '../caller.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { realmPermissions } from '../realm/realm-setting-rows.ts'
import { emitGroupEvent } from './emit-group-event.ts'
import { groupFacts, requireActiveUserIds, requireSubgroups } from './group-facts.ts'
import { beginSilentAddition, membersToCome } from './large-membership-change.ts'
import { insertMembers, insertSubgroups } from './membership-rows.ts'
import { presentUserGroups } from './present-user-group.ts'
import { requireFreeGroupName } from './user-group-name.ts'
import { findGroup, insertGroup } from './user-group-rows.ts'

export type CreateUserGroupParams = {
  readonly name: string
  readonly members: readonly number[]
  readonly description: string
  readonly subgroups?: readonly number[]
} & { readonly [Name in UserGroupSettingName]?: GroupSettingValue }

/**
 * Makes a group with its first members and subgroups; of thousands of members some, and adds the others in commits of their own. Members
 * get no message about it. Source: docs/interface/groups.md#create-a-group.
 */
export const createUserGroup: Command<Caller, CreateUserGroupParams, void, { readonly group_id: number }> = {
  apply(tx, caller, params) {
    const { user, actor } = caller
    requireMayCreateGroup(actor, realmPermissions(tx.sql))
    const members = requireActiveUserIds(tx.sql, params.members)
    const name = requireFreeGroupName(tx.sql, params.name)
    const settings = creationSettings(tx, params, user.id)
    const subgroups = requireSubgroups(tx.sql, params.subgroups ?? []).map(({ id }) => id)
    const group = {
      name,
      description: params.description,
      creatorId: user.id,
      createdAt: tx.now,
      settings,
    }
    const groupId = withinQuota(tx, caller, 'groups', () => insertGroup(tx.sql, group))
    const [first, rest] = [members.slice(0, ENTRIES_AT_ONCE), members.slice(ENTRIES_AT_ONCE)]
    const insert = () => insertMembers(tx.sql, groupId, first)
    withinQuota(tx, caller, 'groupMembers', insert, user.id, rest.length + membersToCome(tx.sql))
    announce(tx, groupId)
    if (subgroups.length > 0) {
      withinQuota(tx, caller, 'subgroups', () => insertSubgroups(tx.sql, groupId, subgroups))
      emitGroupEvent(tx, { op: 'add_subgroups', group_id: groupId, direct_subgroup_ids: subgroups })
    }
    if (rest.length > 0) beginSilentAddition(tx, user.id, groupId, rest)
    return { group_id: groupId }
  },
}

function creationSettings(
  tx: RealmReads,
  params: CreateUserGroupParams,
  creatorId: number,
): UserGroupPermissions {
  const facts = groupFacts(tx.sql)
  return Object.fromEntries(
    USER_GROUP_SETTINGS.map((setting) => {
      const given = params[setting.name]
      return [
        setting.name,
        given === undefined
          ? defaultGroupSettingValue(setting, creatorId)
          : requireValidGroupSetting(setting, given, facts),
      ]
    }),
  ) as UserGroupPermissions
}

function announce(tx: RealmTransaction, groupId: number): void {
  emitGroupEvent(tx, { op: 'add', group: presentUserGroups(tx, [findGroup(tx.sql, groupId)!])[0] })
}
