import * as v from 'valibot'
import { changesIn, groupChange } from '../../api/audit-notes.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../../api/input-limits.ts'
import { jsonBoolean, textUpTo } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { activateGroup, changeGroupName, emitGroupEvent } from '../../model/user-groups/change-group.ts'
import { groupFacts } from '../../model/user-groups/group-members.ts'
import { presentGroupSetting } from '../../model/user-groups/present-user-group.ts'
import {
  type GroupSettingValue,
  requireExpectedGroupSetting,
  requireValidGroupSetting,
  sameGroupSetting,
} from '../../rules/group-setting-values.ts'
import { USER_GROUP_SETTINGS, type UserGroupSettingName } from '../../rules/group-settings.ts'
import { requireMayManageGroup } from '../../rules/user-group-rules.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { changeGroup, findGroup, type UserGroup } from '../../store/user-groups/user-group-rows.ts'
import { groupAccess, groupPath, groupSettingChanges } from './group-parameters.ts'

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
