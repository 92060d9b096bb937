import * as v from 'valibot'
import { settingSchemas } from '../../api/user-settings-schema.ts'
import { navigationViewSchema } from '../../events/navigation-view.ts'
import { onboardingStepSchema } from '../../events/onboarding-steps.ts'
import {
  REALM_DEFAULT_SETTING_NAMES,
  USER_SETTING_NAMES,
  USER_SETTINGS,
} from '../../store/users/settings/user-settings.ts'

const emojisetChoices = { emojiset_choices: v.array(v.object({ key: v.string(), text: v.string() })) }
const notificationSounds = { available_notification_sounds: v.array(v.string()) }

const namesWithLegacyForm = (form: 'display' | 'notification') =>
  USER_SETTING_NAMES.filter((name) => USER_SETTINGS[name].legacy === form)

const pushDevice = v.object({
  status: v.picklist(['active', 'pending', 'failed']),
  error_code: v.nullable(v.string()),
})

/** A device. Its values are null until it is set up for notifications. */
const device = v.object({
  push_key_id: v.nullable(v.number()),
  push_token_id: v.nullable(v.string()),
  pending_push_token_id: v.nullable(v.string()),
  push_token_last_updated_timestamp: v.nullable(v.number()),
  push_registration_error_code: v.nullable(v.string()),
})

/** Keys about the caller's settings and clients, by fetch type. Source: docs/interface/register.md#what-the-snapshot-has. */
export const settingKeys = {
  device: { devices: v.record(v.string(), device) },
  navigation_views: { navigation_views: v.array(navigationViewSchema) },
  onboarding_steps: {
    onboarding_steps: v.array(onboardingStepSchema),
    navigation_tour_video_url: v.nullable(v.string()),
  },
  push_device: { push_devices: v.record(v.string(), pushDevice) },
  realm_user_settings_defaults: {
    realm_user_settings_defaults: v.object({
      ...settingSchemas(REALM_DEFAULT_SETTING_NAMES),
      ...emojisetChoices,
      ...notificationSounds,
    }),
  },
  update_display_settings: { ...settingSchemas(namesWithLegacyForm('display')), ...emojisetChoices },
  update_global_notifications: {
    ...settingSchemas(namesWithLegacyForm('notification')),
    ...notificationSounds,
  },
  user_settings: {
    user_settings: v.object({
      ...settingSchemas(USER_SETTING_NAMES),
      ...emojisetChoices,
      ...notificationSounds,
    }),
  },
}
