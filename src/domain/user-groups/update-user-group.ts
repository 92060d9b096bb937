import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import {
  type GroupSettingValue,
  requireExpectedGroupSetting,
  requireValidGroupSetting,
  sameGroupSetting,
} from '../../permissions/group-setting-values.ts'
import { USER_GROUP_SETTINGS, type UserGroupSettingName } from '../../permissions/group-settings.ts'
import { requireMayManageGroup } from '../../permissions/user-group-rules.ts'
import type { Caller } from '../caller.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { realmPermissions } from '../realm/realm-setting-rows.ts'
import { activateGroup } from './activate-group.ts'
import { changeGroupName } from './change-group-name.ts'
import { emitGroupEvent } from './emit-group-event.ts'
import { groupFacts } from './group-facts.ts'
import { presentGroupSetting } from './present-group-setting.ts'
import { changeGroup, findGroup, type UserGroup } from './user-group-rows.ts'

/**
 * A permission's change: the new value, and optionally the one that the client believes to be the present
 * one.
 */
interface GroupSettingChange {
  readonly new: GroupSettingValue
  readonly old?: GroupSettingValue | null
}

export type UpdateUserGroupParams = {
  readonly user_group_id: number
  readonly name?: string
  readonly description?: string
  readonly deactivated?: boolean
} & { readonly [Name in UserGroupSettingName]?: GroupSettingChange }

/**
 * Changes a group: name, description, reactivation, then its permissions, each with an event of its own.
 * Source: docs/interface/groups.md#change-a-group; docs/decisions/interface.md#channels-groups-people.
 */
export const updateUserGroup: Command<Caller, UpdateUserGroupParams, void, object> = {
  apply(tx, caller, params) {
    const { actor } = caller
    const { user_group_id: id, ...changes } = params
    if (Object.values(changes).every((value) => value === undefined)) {
      throw new BadRequestError('No new data supplied')
    }
    const group = requireMayManageGroup(actor, findGroup(tx.sql, id), realmPermissions(tx.sql))
    withinQuota(tx, caller, 'groups', () => changeAsGiven(tx, group, params), group.creatorId)
    return {}
  },
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
