import * as v from 'valibot'
import { changesIn, groupChange } from '../../api/audit-notes.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../../api/input-limits.ts'
import { groupSetting, json, jsonBoolean, jsonIds, pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import { ApiError, BadRequestError } from '../../core/errors.ts'
import type { IdSet } from '../../core/id-set.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { userGroupSchema } from '../../events/user-group.ts'
import type { Caller } from '../../model/caller.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { groupsInSections } from '../../model/register/groups-in-sections.ts'
import {
  activateGroup,
  changeGroupName,
  deactivateGroup,
  emitGroupEvent,
  requireFreeGroupName,
} from '../../model/user-groups/change-group.ts'
import {
  accountsInGroups,
  directlyIn,
  directSubgroups,
  groupFacts,
  requireActiveUserIds,
  requireSubgroups,
  withSubgroups,
} from '../../model/user-groups/group-members.ts'
import { usesOfGroup } from '../../model/user-groups/group-uses.ts'
import { beginSilentAddition, membersToCome } from '../../model/user-groups/large-membership-change.ts'
import { presentGroupSetting, presentUserGroup } from '../../model/user-groups/present-user-group.ts'
import { requireUser } from '../../model/users/visibility/visible-users.ts'
import type { UserGroupPermissions } from '../../rules/grants.ts'
import {
  defaultGroupSettingValue,
  type GroupSettingValue,
  requireExpectedGroupSetting,
  requireValidGroupSetting,
  sameGroupSetting,
} from '../../rules/group-setting-values.ts'
import { USER_GROUP_SETTINGS, type UserGroupSettingName } from '../../rules/group-settings.ts'
import { requireGroup, requireMayCreateGroup, requireMayManageGroup } from '../../rules/user-group-rules.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { insertMembers, insertSubgroups } from '../../store/user-groups/membership-rows.ts'
import {
  changeGroup,
  findGroup,
  insertGroup,
  type UserGroup,
} from '../../store/user-groups/user-group-rows.ts'
import { closedAccounts } from '../../store/users/account-set-rows.ts'

/**
 * Access to operations that change groups: everybody but guests, bots too
 * (docs/interface/groups.md#change-a-group).
 */
export const groupAccess = 'member'

export const groupPath = { user_group_id: pathInteger }

const groupSettingChange = v.object({ new: groupSetting, old: v.optional(v.nullable(groupSetting)) })

function forEachSetting<const Schema extends v.GenericSchema<unknown, unknown>>(schema: Schema) {
  return Object.fromEntries(USER_GROUP_SETTINGS.map(({ name }) => [name, schema])) as Record<
    UserGroupSettingName,
    Schema
  >
}

/** Permissions of a new group. */
const groupSettingValues = forEachSetting(v.optional(json(groupSetting)))

/** Changes of a group's permissions. */
const groupSettingChanges = forEachSetting(v.optional(json(groupSettingChange)))

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
  emitGroupEvent(tx, { op: 'add', group: presentUserGroup(tx, findGroup(tx.sql, groupId)!) })
}

/**
 * Changes a user group, or reactivates a deactivated one. Source: docs/interface/groups.md#change-a-group.
 */
export const updateUserGroupEndpoint = defineEndpoint({
  operation: 'update-user-group',
  method: 'PATCH',
  path: '/user_groups/:user_group_id',
  access: groupAccess,
  params: {
    ...groupPath,
    name: v.optional(textUpTo(NAME_LENGTH)),
    description: v.optional(textUpTo(DESCRIPTION_LENGTH)),
    ...groupSettingChanges,
    deactivated: v.optional(jsonBoolean),
  },
  returns: v.object({}),
  command: { apply: updateUserGroup },
  audit: { whenChanged: ({ params }) => groupChange(params, changesIn(params)) },
})

/**
 * A permission's change: the new value, and optionally the one that the client believes to be the present
 * one.
 */
interface GroupSettingChange {
  readonly new: GroupSettingValue
  readonly old?: GroupSettingValue | null
}

type UpdateUserGroupParams = {
  readonly user_group_id: number
  readonly name?: string
  readonly description?: string
  readonly deactivated?: boolean
} & { readonly [Name in UserGroupSettingName]?: GroupSettingChange }

/**
 * Changes a group: name, description, reactivation, then its permissions, each with an event of its own.
 * Source: docs/interface/groups.md#change-a-group; docs/decisions/interface.md#channels-groups-people.
 */
function updateUserGroup(tx: RealmTransaction, caller: Caller, params: UpdateUserGroupParams): object {
  const { actor } = caller
  const { user_group_id: id, ...changes } = params
  if (Object.values(changes).every((value) => value === undefined)) {
    throw new BadRequestError('No new data supplied')
  }
  const group = requireMayManageGroup(actor, findGroup(tx.sql, id), realmPermissions(tx.sql))
  withinQuota(tx, caller, 'groups', () => changeAsGiven(tx, group, params), group.creatorId)
  return {}
}

function changeAsGiven(tx: RealmTransaction, group: UserGroup, params: UpdateUserGroupParams): void {
  const { id } = group
  if (params.name !== undefined) changeGroupName(tx, group, params.name)
  if (params.description !== undefined && params.description !== group.description) {
    changeGroup(tx.sql, id, 'description', params.description)
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
    changeGroup(tx.sql, groupId, 'settings', { ...settings, [setting.name]: wanted })
    emitGroupEvent(tx, { op: 'update', group_id: groupId, data: { [setting.name]: wanted } })
  }
}

/**
 * Deactivates a group; it can be reactivated (update-user-group).
 * @throws CANNOT_DEACTIVATE_GROUP_IN_USE with everything that still names it. Source:
 * docs/interface/groups.md#deactivate-a-group.
 */
export const deactivateUserGroupEndpoint = defineEndpoint({
  operation: 'deactivate-user-group',
  method: 'POST',
  path: '/user_groups/:user_group_id/deactivate',
  access: groupAccess,
  params: groupPath,
  returns: v.object({}),
  command: { apply: deactivateUserGroup },
  audit: { whenChanged: ({ params }) => groupChange(params, { deactivated: true }) },
})

function deactivateUserGroup(
  tx: RealmTransaction,
  { actor }: Caller,
  { user_group_id: id }: { readonly user_group_id: number },
): object {
  const group = requireMayManageGroup(actor, findGroup(tx.sql, id), realmPermissions(tx.sql))
  if (group.isDeactivated) throw new BadRequestError('User group is deactivated.')
  const objections = tx.use(usesOfGroup, id)
  if (objections.length > 0) {
    throw new ApiError('CANNOT_DEACTIVATE_GROUP_IN_USE', 'Cannot deactivate user group in use.', {
      objections,
    })
  }
  deactivateGroup(tx, group)
  return {}
}
