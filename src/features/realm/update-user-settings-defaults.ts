import * as v from 'valibot'
import { changesIn } from '../../api/audit-notes.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { settingParameters } from '../../api/shared-parameters.ts'
import { EVERYONE } from '../../core/audience.ts'
import { realmUserSettingsDefaults } from '../../model/realm/present-realm.ts'
import { changedUserSettingDefaults, writeRealmSetting } from '../../store/realm/realm-setting-rows.ts'
import {
  checkUserSetting,
  PRESETTABLE_USER_SETTING_NAMES,
  type UserSettingName,
  type UserSettings,
} from '../../store/users/settings/user-settings.ts'

/**
 * Changes the settings with which new accounts start; existing accounts are not changed. Source:
 * docs/interface/settings.md#defaults-of-new-accounts; docs/decisions/interface.md#settings-and-presence.
 */
export const updateUserSettingsDefaultsEndpoint = defineEndpoint({
  operation: 'update-user-settings-defaults',
  method: 'PATCH',
  path: '/realm/user_settings_defaults',
  access: 'administrator',
  params: settingParameters(PRESETTABLE_USER_SETTING_NAMES),
  returns: v.object({}),
  command: {
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
        tx.emit({ type: 'realm_user_settings_defaults', op: 'update', property, value }, EVERYONE)
      }
      return {}
    },
  },
  audit: {
    whenChanged: ({ params }) => ({
      action: 'default_settings_changed',
      details: changesIn(params),
    }),
  },
})
