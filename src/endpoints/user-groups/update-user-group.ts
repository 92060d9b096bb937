import * as v from 'valibot'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../domain/caller.ts'
import { withinQuota } from '../../domain/quotas/within-quota.ts'
import { realmPermissions } from '../../domain/realm/realm-setting-rows.ts'
import { activateGroup } from '../../domain/user-groups/activate-group.ts'
import { changeGroupName } from '../../domain/user-groups/change-group-name.ts'
import { emitGroupEvent } from '../../domain/user-groups/emit-group-event.ts'
import { groupFacts } from '../../domain/user-groups/group-facts.ts'
import { presentGroupSetting } from '../../domain/user-groups/present-group-setting.ts'
import { changeGroup, findGroup, type UserGroup } from '../../domain/user-groups/user-group-rows.ts'
import {
  type GroupSettingValue,
  requireExpectedGroupSetting,
  requireValidGroupSetting,
  sameGroupSetting,
} from '../../permissions/group-setting-values.ts'
import { USER_GROUP_SETTINGS, type UserGroupSettingName } from '../../permissions/group-settings.ts'
import { requireMayManageGroup } from '../../permissions/user-group-rules.ts'
import { changesIn, groupChange } from '../audit-log/audit-notes.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../input-limits.ts'
import { jsonBoolean, textUpTo } from '../parameter-types.ts'
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
