import * as v from 'valibot'
import { updateUserSettingsDefaults } from '../../domain/realm/update-user-settings-defaults.ts'
import { PRESETTABLE_USER_SETTING_NAMES } from '../../domain/users/settings/user-settings.ts'
import { changesIn } from '../audit-log/audit-notes.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { settingParameters } from '../users/setting-parameters.ts'

/** Changes the settings that new accounts start with. Source: docs/interface/settings.md#defaults-of-new-accounts. */
export const updateUserSettingsDefaultsEndpoint = defineEndpoint({
  operation: 'update-user-settings-defaults',
  method: 'PATCH',
  path: '/realm/user_settings_defaults',
  access: 'administrator',
  params: settingParameters(PRESETTABLE_USER_SETTING_NAMES),
  returns: v.object({}),
  command: updateUserSettingsDefaults,
  audit: {
    whenChanged: ({ params }) => ({
      action: 'default_settings_changed',
      details: changesIn(params),
    }),
  },
})
