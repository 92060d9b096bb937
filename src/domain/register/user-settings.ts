import { userSettings } from '../users/user-setting-rows.ts'
import { EMOJISETS, NOTIFICATION_SOUNDS } from '../users/user-settings.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `user_settings`: all settings, and the lists to choose from. */
export const userSettingsSnapshot: Snapshot = (_tx, { user }) => ({
  user_settings: {
    ...userSettings(user),
    timezone: user.timezone,
    emojiset_choices: EMOJISETS,
    available_notification_sounds: NOTIFICATION_SOUNDS,
  },
})
