import * as v from 'valibot'
import { groupSetting, json, pathInteger } from '../../api/parameter-types.ts'
import { USER_GROUP_SETTINGS, type UserGroupSettingName } from '../../rules/group-settings.ts'

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
export const groupSettingValues = forEachSetting(v.optional(json(groupSetting)))

/** Changes of a group's permissions. */
export const groupSettingChanges = forEachSetting(v.optional(json(groupSettingChange)))
