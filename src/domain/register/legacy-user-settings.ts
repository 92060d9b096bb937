import { userSettings } from '../users/user-setting-rows.ts'
import { EMOJISETS, NOTIFICATION_SOUNDS, settingsWithLegacyForm } from '../users/user-settings.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * The display settings as they once were: each a key of its own, for clients that do not know
 * `user_settings` (docs/interface/register.md#what-the-snapshot-has).
 */
export const updateDisplaySettingsSnapshot: Snapshot = (_tx, { user }, { capabilities }) =>
  capabilities.has('user_settings_object')
    ? {}
    : {
        ...settingsWithLegacyForm(userSettings(user), 'display'),
        timezone: user.timezone,
        emojiset_choices: EMOJISETS,
      }

/** The keys of the notification settings, as older clients have them. */
export const updateGlobalNotificationsSnapshot: Snapshot = (_tx, { user }, { capabilities }) =>
  capabilities.has('user_settings_object')
    ? {}
    : {
        ...settingsWithLegacyForm(userSettings(user), 'notification'),
        available_notification_sounds: NOTIFICATION_SOUNDS,
      }
