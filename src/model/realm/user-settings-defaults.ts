import type { Sql } from '../../core/sql.ts'
import { changedUserSettingDefaults } from '../../store/realm/realm-setting-rows.ts'
import {
  defaultUserSettings,
  REALM_DEFAULT_SETTING_NAMES,
  type UserSettings,
} from '../../store/users/settings/user-settings.ts'

/** Returns the settings with which new accounts start: all but the time zone, which belongs to a person. */
export function realmUserSettingsDefaults(sql: Sql): Partial<UserSettings> {
  const all = { ...defaultUserSettings(), ...changedUserSettingDefaults(sql) }
  return Object.fromEntries(REALM_DEFAULT_SETTING_NAMES.map((name) => [name, all[name]]))
}
