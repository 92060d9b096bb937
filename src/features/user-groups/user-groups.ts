import * as v from 'valibot'
import { changesIn, groupChange } from '../../api/audit-rules.ts'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../../api/input-limits.ts'
import { jsonBoolean, jsonIds, pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { userGroupPermissionChanges, userGroupPermissions } from '../../api/shared-parameters.ts'
import { ApiError, BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { userGroupSchema } from '../../events/user-group.ts'
import { usesOfGroup } from '../../model/group-changes/group-uses.ts'
import { addMembersOfNewGroup } from '../../model/group-changes/large-membership-change.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { groupsInSections } from '../../model/register/groups-in-sections.ts'
import {
  activateGroup,
  changeGroupName,
  deactivateGroup,
  emitGroupEvent,
  requireFreeGroupName,
} from '../../model/user-groups/change-group.ts'
import { groupFacts, requireActiveUserIds, requireSubgroups } from '../../model/user-groups/group-members.ts'
import { isAnyPowerful } from '../../model/user-groups/powerful-groups.ts'
import { presentGroupSetting, presentUserGroup } from '../../model/user-groups/present-user-group.ts'
import type { UserGroupPermissions } from '../../rules/grants.ts'
import {
  defaultGroupSettingValue,
  requireExpectedGroupSetting,
  requireValidGroupSetting,
  sameGroupSetting,
} from '../../rules/group-setting-values.ts'
import { USER_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import {
  LETS_INTO_GROUP,
  requireMayCreateGroup,
  requireMayManageGroup,
} from '../../rules/user-group-rules.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { insertSubgroups } from '../../store/user-groups/membership-rows.ts'
import {
  changeGroup,
  findGroup,
  insertGroup,
  type UserGroup,
} from '../../store/user-groups/user-group-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

/** Access to operations that change groups: everyone but guests, including bots (docs/interface/groups.md#change-a-group). */
export const groupAccess = 'member'

export const groupPath = { user_group_id: pathInteger }

/** Lists all groups, including system groups. Guests get them only from register. Source: docs/interface/groups.md#list-groups. */
export const getUserGroupsEndpoint = defineEndpoint({
  operation: 'get-user-groups',
  route: 'GET /user_groups',
  access: 'member',
  params: { include_deactivated_groups: v.optional(jsonBoolean, 'false') },
  returns: v.object({ user_groups: v.array(userGroupSchema) }),
  query: (tx, _caller, params) => ({
    user_groups: groupsInSections(tx, { withDeactivated: params.include_deactivated_groups }),
  }),
  largeAnswer: true,
  answersInSections: true,
})

const createUserGroupParams = {
  name: textUpTo(NAME_LENGTH),
  members: jsonIds,
  description: textUpTo(DESCRIPTION_LENGTH),
  subgroups: v.optional(jsonIds),
  ...userGroupPermissions,
}
type CreateUserGroupParams = ParametersOf<typeof createUserGroupParams>

/**
 * Creates a group with its first members and subgroups; if there are thousands of members, some are added in later commits. Members are not
 * notified. Source: docs/interface/groups.md#create-a-group.
 */
export const createUserGroupEndpoint = defineEndpoint({
  operation: 'create-user-group',
  route: 'POST /user_groups/create',
  access: groupAccess,
  growsObject: true,
  params: createUserGroupParams,
  returns: v.object({ group_id: v.number() }),
  apply(tx, caller, params): { readonly group_id: number } {
    const { user, actor } = caller
    requireMayCreateGroup(actor, realmPermissions(tx.sql))
    const members = requireActiveUserIds(tx.sql, params.members)
    const name = requireFreeGroupName(tx.sql, params.name)
    const settings = creationSettings(tx, params, user)
    const subgroups = requireSubgroups(tx.sql, params.subgroups ?? []).map(({ id }) => id)
    const group = {
      name,
      description: params.description,
      creatorId: user.id,
      createdAt: tx.now,
      settings,
    }
    const groupId = withinQuota(tx, caller, 'groups', () => insertGroup(tx.sql, group))
    addMembersOfNewGroup(tx, caller, groupId, members)
    announce(tx, groupId)
    if (subgroups.length > 0) {
      withinQuota(tx, caller, 'subgroups', () => insertSubgroups(tx.sql, groupId, subgroups))
      emitGroupEvent(tx, { op: 'add_subgroups', group_id: groupId, direct_subgroup_ids: subgroups })
    }
    return { group_id: groupId }
  },
  audit: ({ value }) => ({
    action: 'group_created',
    details: { user_group_id: value.group_id },
  }),
})

function creationSettings(
  tx: RealmReads,
  params: CreateUserGroupParams,
  { id, botOwnerId }: User,
): UserGroupPermissions {
  const facts = groupFacts(tx.sql)
  return Object.fromEntries(
    USER_GROUP_SETTINGS.map((setting) => {
      const given = params[setting.name]
      return [
        setting.name,
        given === undefined
          ? defaultGroupSettingValue(setting, id, botOwnerId)
          : requireValidGroupSetting(setting, given, facts),
      ]
    }),
  ) as UserGroupPermissions
}

function announce(tx: RealmTransaction, groupId: number): void {
  emitGroupEvent(tx, { op: 'add', group: presentUserGroup(tx, findGroup(tx.sql, groupId)!) })
}

const updateUserGroupParams = {
  ...groupPath,
  name: v.optional(textUpTo(NAME_LENGTH)),
  description: v.optional(textUpTo(DESCRIPTION_LENGTH)),
  ...userGroupPermissionChanges,
  deactivated: v.optional(jsonBoolean),
}
type UpdateUserGroupParams = ParametersOf<typeof updateUserGroupParams>

/**
 * Changes a group: name, description, reactivation, then its permissions, with an event for each.
 * Source: docs/interface/groups.md#change-a-group; docs/decisions/interface.md#channels-groups-people.
 */
export const updateUserGroupEndpoint = defineEndpoint({
  operation: 'update-user-group',
  route: 'PATCH /user_groups/:user_group_id',
  access: groupAccess,
  needsProofFor: (tx, params) =>
    LETS_INTO_GROUP.some((name) => params[name] !== undefined) && isAnyPowerful(tx, [params.user_group_id]),
  params: updateUserGroupParams,
  apply(tx, caller, params) {
    const { actor } = caller
    const { user_group_id: id, ...changes } = params
    if (Object.values(changes).every((value) => value === undefined)) {
      throw new BadRequestError('No new data supplied')
    }
    const group = requireMayManageGroup(actor, findGroup(tx.sql, id), realmPermissions(tx.sql))
    withinQuota(tx, caller, 'groups', () => changeAsGiven(tx, group, params), group.creatorId)
  },
  audit: { whenChanged: ({ params }) => groupChange(params, changesIn(params)) },
})

function changeAsGiven(tx: RealmTransaction, group: UserGroup, params: UpdateUserGroupParams): void {
  const { id } = group
  if (params.name !== undefined) changeGroupName(tx, group, params.name)
  if (params.description !== undefined && params.description !== group.description) {
    changeGroup(tx.sql, id, { description: params.description })
    emitGroupEvent(tx, { op: 'update', group_id: id, data: { description: params.description } })
  }
  if (params.deactivated === false && group.isDeactivated) activateGroup(tx, group)
  changePermissions(tx, id, params)
}

function changePermissions(tx: RealmTransaction, groupId: number, params: UpdateUserGroupParams): void {
  for (const setting of USER_GROUP_SETTINGS) {
    const change = params[setting.name]
    if (change === undefined) continue
    const { settings } = findGroup(tx.sql, groupId)!
    const wanted = requireValidGroupSetting(setting, change.new, groupFacts(tx.sql))
    const present = settings[setting.name]
    requireExpectedGroupSetting(change.old, () => presentGroupSetting(tx.sql, present))
    if (sameGroupSetting(wanted, present)) continue
    changeGroup(tx.sql, groupId, { settings: { ...settings, [setting.name]: wanted } })
    emitGroupEvent(tx, { op: 'update', group_id: groupId, data: { [setting.name]: wanted } })
  }
}

/**
 * Deactivates a group; it can be reactivated (update-user-group).
 * @throws CANNOT_DEACTIVATE_GROUP_IN_USE with everything that still names it. Source: docs/interface/groups.md#deactivate-a-group.
 */
export const deactivateUserGroupEndpoint = defineEndpoint({
  operation: 'deactivate-user-group',
  route: 'POST /user_groups/:user_group_id/deactivate',
  access: groupAccess,
  params: groupPath,
  apply(tx, { actor }, { user_group_id: id }) {
    const group = requireMayManageGroup(actor, findGroup(tx.sql, id), realmPermissions(tx.sql))
    if (group.isDeactivated) throw new BadRequestError('User group is deactivated.')
    const objections = tx.use(usesOfGroup, id)
    if (objections.length > 0) {
      throw new ApiError('CANNOT_DEACTIVATE_GROUP_IN_USE', 'Cannot deactivate user group in use.', {
        objections,
      })
    }
    deactivateGroup(tx, group)
  },
  audit: { whenChanged: ({ params }) => groupChange(params, { deactivated: true }) },
})
