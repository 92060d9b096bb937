import type { Sql } from '../../core/sql.ts'
import {
  defaultUserSettings,
  REALM_DEFAULT_SETTING_NAMES,
  type UserSettings,
} from '../users/settings/user-settings.ts'
import { changedUserSettingDefaults } from './realm-setting-rows.ts'

/** Returns the settings with which new accounts start: all but the time zone, which belongs to a person. */
export function realmUserSettingsDefaults(sql: Sql): Partial<UserSettings> {
  const all = { ...defaultUserSettings(), ...changedUserSettingDefaults(sql) }
  return Object.fromEntries(REALM_DEFAULT_SETTING_NAMES.map((name) => [name, all[name]]))
}
