import { realmUserSettingsDefaults } from '../realm/user-settings-defaults.ts'
import { EMOJISETS, NOTIFICATION_SOUNDS } from '../users/user-settings.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `realm_user_settings_defaults`: what new accounts start with. */
export const realmUserSettingsDefaultsSnapshot: Snapshot = ({ sql }) => ({
  realm_user_settings_defaults: {
    ...realmUserSettingsDefaults(sql),
    emojiset_choices: EMOJISETS,
    available_notification_sounds: NOTIFICATION_SOUNDS,
  },
})
