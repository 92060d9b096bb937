import * as v from 'valibot'
import { changesIn } from '../../api/audit-rules.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { trimmedTextUpTo } from '../../api/parameter-types.ts'
import { settingParameters } from '../../api/shared-parameters.ts'
import { EVERYONE } from '../../core/audience.ts'
import { realmUserSettingsDefaults } from '../../model/realm/present-realm.ts'
import { sendNotice } from '../../model/sending/send-notice.ts'
import { MAX_WELCOME_TEXT_LENGTH } from '../../store/realm/realm-properties.ts'
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
  route: 'PATCH /realm/user_settings_defaults',
  access: 'administrator',
  params: settingParameters(PRESETTABLE_USER_SETTING_NAMES),
  apply(tx, _caller, params) {
    const present = realmUserSettingsDefaults(tx.sql)
    const changes = PRESETTABLE_USER_SETTING_NAMES.filter((name) => params[name] !== undefined)
      .map((name): [UserSettingName, UserSettings[UserSettingName]] => [
        name,
        checkUserSetting(name, params[name]),
      ])
      .filter(([name, value]) => value !== present[name])
    if (changes.length === 0) return
    writeRealmSetting(tx.sql, 'user_settings_defaults', {
      ...changedUserSettingDefaults(tx.sql),
      ...Object.fromEntries(changes),
    })
    for (const [property, value] of changes) {
      tx.emit({ type: 'realm_user_settings_defaults', op: 'update', property, value }, EVERYONE)
    }
  },
  audit: {
    whenChanged: ({ params }) => ({
      action: 'default_settings_changed',
      details: changesIn(params),
    }),
  },
})

/** Sends an administrator the welcome message for new users. Source: docs/interface/organization.md#welcome-message. */
export const testWelcomeMessageEndpoint = defineEndpoint({
  operation: 'test-welcome-message',
  route: 'POST /realm/test_welcome_bot_custom_message',
  access: 'administrator',
  params: { welcome_message_custom_text: trimmedTextUpTo(MAX_WELCOME_TEXT_LENGTH) },
  returns: v.object({ message_id: v.number() }),
  apply(tx, { user, source }, { welcome_message_custom_text }) {
    const message_id = sendNotice(tx, {
      to: { user },
      content: welcome_message_custom_text,
      from: 'welcome-bot',
      origin: source.origin,
    })
    return { message_id }
  },
  audit: 'own',
})
