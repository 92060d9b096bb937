import { EVERYONE } from '../../core/audience.ts'
import type { Command } from '../../core/command.ts'
import type { StoredRealmUserSettingsDefaultsEvent } from '../../events/realm-user-settings-defaults.ts'
import type { Caller } from '../caller.ts'
import {
  checkUserSetting,
  PRESETTABLE_USER_SETTING_NAMES,
  type UserSettingName,
  type UserSettings,
} from '../users/settings/user-settings.ts'
import { changedUserSettingDefaults, writeRealmSetting } from './realm-setting-rows.ts'
import { realmUserSettingsDefaults } from './user-settings-defaults.ts'

export type SettingsDefaultsParams = { readonly [Name in UserSettingName]?: unknown }

/**
 * Changes the settings with which new accounts start; existing accounts are not changed, and no drafts are
 * deleted. Source: docs/interface/settings.md#defaults-of-new-accounts;
 * docs/decisions/interface.md#settings-and-presence.
 */
export const updateUserSettingsDefaults: Command<Caller, SettingsDefaultsParams, void, object> = {
  apply(tx, _caller, params) {
    const present = realmUserSettingsDefaults(tx.sql)
    const changes = PRESETTABLE_USER_SETTING_NAMES.filter((name) => params[name] !== undefined)
      .map((name): [UserSettingName, UserSettings[UserSettingName]] => [
        name,
        checkUserSetting(name, params[name]),
      ])
      .filter(([name, value]) => value !== present[name])
    if (changes.length === 0) return {}
    writeRealmSetting(tx.sql, 'user_settings_defaults', {
      ...changedUserSettingDefaults(tx.sql),
      ...Object.fromEntries(changes),
    })
    for (const [property, value] of changes) {
      const event: StoredRealmUserSettingsDefaultsEvent = {
        type: 'realm_user_settings_defaults',
        op: 'update',
        property,
        value,
      }
      tx.emit(event, EVERYONE)
    }
    return {}
  },
}
