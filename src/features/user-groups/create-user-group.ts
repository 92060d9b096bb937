import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../../api/input-limits.ts'
import { jsonIds, textUpTo } from '../../api/parameter-types.ts'
import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { emitGroupEvent } from '../../model/user-groups/change-group.ts'
import { groupFacts, requireActiveUserIds, requireSubgroups } from '../../model/user-groups/group-members.ts'
import { beginSilentAddition, membersToCome } from '../../model/user-groups/large-membership-change.ts'
import { presentUserGroups } from '../../model/user-groups/present-user-group.ts'
import { requireFreeGroupName } from '../../model/user-groups/user-group-name.ts'
import type { UserGroupPermissions } from '../../rules/grants.ts'
import {
  defaultGroupSettingValue,
  type GroupSettingValue,
  requireValidGroupSetting,
} from '../../rules/group-setting-values.ts'
import { USER_GROUP_SETTINGS, type UserGroupSettingName } from '../../rules/group-settings.ts'
import { requireMayCreateGroup } from '../../rules/user-group-rules.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { insertMembers, insertSubgroups } from '../../store/user-groups/membership-rows.ts'
import { findGroup, insertGroup } from '../../store/user-groups/user-group-rows.ts'
import { groupAccess, groupSettingValues } from './group-parameters.ts'

/**
 * Makes a group with its first members and subgroups; of thousands of members some, and adds the others in commits of their own. Members
 * get no message about it. Source: docs/interface/groups.md#create-a-group.
 */
export const createUserGroupEndpoint = defineEndpoint({
  operation: 'create-user-group',
  method: 'POST',
  path: '/user_groups/create',
  access: groupAccess,
  growsObject: true,
  params: {
    name: textUpTo(NAME_LENGTH),
    members: jsonIds,
    description: textUpTo(DESCRIPTION_LENGTH),
    subgroups: v.optional(jsonIds),
    ...groupSettingValues,
  },
  returns: v.object({ group_id: v.number() }),
  command: { apply: createUserGroup },
  audit: ({ value }) => ({
    action: 'group_created',
    details: { user_group_id: value.group_id },
  }),
})

type CreateUserGroupParams = {
  readonly name: string
  readonly members: readonly number[]
  readonly description: string
  readonly subgroups?: readonly number[]
} & { readonly [Name in UserGroupSettingName]?: GroupSettingValue }

function createUserGroup(
  tx: RealmTransaction,
  caller: Caller,
  params: CreateUserGroupParams,
): { readonly group_id: number } {
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
