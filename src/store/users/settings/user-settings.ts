import { BadRequestError } from '../../../core/errors.ts'
import { isShownSetting, SHOWN_SETTINGS } from '../../../core/shown-settings.ts'
import { WEEK } from '../../../core/time.ts'
import { storedHomeView } from '../../../events/user-settings.ts'
import { canonicalTimezone, languageName } from './locales.ts'

/**
 * The one table of user settings: type, allowed values, initial default, and the older form of the setting's
 * events. Rows are in the order in which their values are checked. Source:
 * docs/interface/settings.md#defaults-of-new-accounts; docs/interface/settings.md#change-ones-settings.
 */
export interface UserSetting<Value extends UserSettingValue = UserSettingValue> {
  readonly type: 'boolean' | 'integer' | 'string'
  readonly default: Value
  /** The deprecated event and flat snapshot that include it, for clients without `user_settings_object`. */
  readonly legacy: 'display' | 'notification' | null
  /** Values of a setting with a closed list. */
  readonly values?: readonly Value[]
  /** Returns why a value of the right type is refused; null when it is not. */
  readonly problem: (name: string, value: Value) => string | null
}

type UserSettingValue = boolean | number | string
type Legacy = UserSetting['legacy']

function flag(initial: boolean, legacy: Legacy = null): UserSetting<boolean> {
  return { type: 'boolean', default: initial, legacy, problem: () => null }
}

function choice<const Value extends number | string>(
  values: readonly Value[],
  initial: NoInfer<Value>,
  legacy: Legacy = null,
): UserSetting<Value> {
  return {
    type: typeof initial === 'number' ? 'integer' : 'string',
    default: initial,
    legacy,
    values,
    problem: (name, value) => (values.includes(value) ? null : `Invalid ${name}`),
  }
}

function amount(initial: number, [min, max]: [number, number]): UserSetting<number> {
  return {
    type: 'integer',
    default: initial,
    legacy: null,
    problem: (name, value) => {
      if (value < min) return `${name} is too small`
      return value > max ? `${name} is too large` : null
    },
  }
}

function text(initial: string, legacy: Legacy, problem: UserSetting<string>['problem']): UserSetting<string> {
  return { type: 'string', default: initial, legacy, problem }
}

/** Sets of emoji that `emojiset_choices` lists. */
export const EMOJISETS = [
  { key: 'google', text: 'Google' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
  { key: 'google-blob', text: 'Google blobs' },
] as const

/** Sounds that `available_notification_sounds` lists; `none` is also possible. */
export const NOTIFICATION_SOUNDS: readonly string[] = ['ding', 'zulip']

const FOLLOW_POLICIES = [1, 2, 3, 4] as const

const TABLE = {
  twenty_four_hour_time: flag(false, 'display'),
  web_mark_read_on_scroll_policy: choice([1, 2, 3], 1),
  web_channel_default_view: choice([1, 2, 3, 4], 1),
  starred_message_counts: flag(true, 'display'),
  receives_typing_notifications: flag(true),
  web_suggest_update_timezone: flag(true),
  fluid_layout_width: flag(false, 'display'),
  high_contrast_mode: flag(false, 'display'),
  // The limits only exclude what no client could show.
  web_font_size_px: amount(16, [1, 100]),
  web_line_height_percent: amount(140, [1, 1000]),
  color_scheme: choice([1, 2, 3], 1, 'display'),
  enable_drafts_synchronization: flag(true, 'display'),
  translate_emoticons: flag(false, 'display'),
  display_emoji_reaction_users: flag(true),
  default_language: text('en', 'display', (name, value) =>
    languageName(value) === undefined ? `Invalid ${name}` : null,
  ),
  web_home_view: choice(['recent_topics', 'inbox', 'all_messages'], 'inbox', 'display'),
  web_escape_navigates_to_home_view: flag(true),
  left_side_userlist: flag(false, 'display'),
  emojiset: choice(
    EMOJISETS.map(({ key }) => key),
    'google',
    'display',
  ),
  demote_inactive_streams: choice([1, 2, 3], 1, 'display'),
  user_list_style: choice([1, 2, 3], 3),
  web_animate_image_previews: choice(['always', 'on_hover', 'never'], 'on_hover'),
  web_stream_unreads_count_display_policy: choice([1, 2, 3], 2),
  web_left_sidebar_show_channel_folders: flag(true),
  web_left_sidebar_unreads_count_summary: flag(true),
  web_inbox_show_channel_folders: flag(true),
  hide_ai_features: flag(false),
  // '' while unset.
  timezone: text('', 'display', (name, value) =>
    value === '' || canonicalTimezone(value) !== undefined ? null : `Invalid ${name}`,
  ),
  enable_stream_desktop_notifications: flag(false, 'notification'),
  enable_stream_email_notifications: flag(false, 'notification'),
  enable_stream_push_notifications: flag(false, 'notification'),
  enable_stream_audible_notifications: flag(false, 'notification'),
  notification_sound: text('zulip', 'notification', (_name, value) =>
    value === 'none' || NOTIFICATION_SOUNDS.includes(value) ? null : `Invalid notification sound '${value}'`,
  ),
  enable_desktop_notifications: flag(true, 'notification'),
  enable_sounds: flag(true, 'notification'),
  email_notifications_batching_period_seconds: {
    type: 'integer',
    default: 120,
    legacy: 'notification',
    problem: (_name, value) =>
      value > 0 && value <= WEEK ? null : `Invalid email batching period: ${value} seconds`,
  } as UserSetting<number>,
  enable_offline_email_notifications: flag(true, 'notification'),
  enable_offline_push_notifications: flag(true, 'notification'),
  enable_online_push_notifications: flag(true, 'notification'),
  enable_followed_topic_desktop_notifications: flag(true),
  enable_followed_topic_email_notifications: flag(true),
  enable_followed_topic_push_notifications: flag(true),
  enable_followed_topic_audible_notifications: flag(true),
  enable_digest_emails: flag(true, 'notification'),
  enable_marketing_emails: flag(true, 'notification'),
  enable_login_emails: flag(true, 'notification'),
  message_content_in_email_notifications: flag(true, 'notification'),
  pm_content_in_desktop_notifications: flag(true, 'notification'),
  wildcard_mentions_notify: flag(true, 'notification'),
  enable_followed_topic_wildcard_mentions_notify: flag(true),
  desktop_icon_count_display: choice([1, 2, 3, 4], 1, 'notification'),
  realm_name_in_email_notifications_policy: choice([1, 2, 3], 1, 'notification'),
  automatically_follow_topics_policy: choice(FOLLOW_POLICIES, 3),
  automatically_unmute_topics_in_muted_streams_policy: choice(FOLLOW_POLICIES, 2),
  automatically_follow_topics_where_mentioned: flag(true),
  resolved_topic_notice_auto_read_policy: choice(['always', 'except_followed', 'never'], 'except_followed'),
  presence_enabled: flag(true, 'notification'),
  enter_sends: flag(false, 'display'),
  send_private_typing_notifications: flag(true),
  send_stream_typing_notifications: flag(true),
  send_read_receipts: flag(true),
  allow_private_data_export: flag(false),
  email_address_visibility: choice([1, 2, 3, 4, 5], 1),
  web_navigate_to_sent_message: flag(true),
} as const

export type UserSettingName = keyof typeof TABLE
type ValueOf<Setting> = Setting extends UserSetting<infer Value> ? Value : never
export type UserSettings = { [Name in UserSettingName]: ValueOf<(typeof TABLE)[Name]> }

export const USER_SETTINGS: { readonly [Name in UserSettingName]: UserSetting<UserSettings[Name]> } = TABLE
export const USER_SETTING_NAMES = Object.keys(TABLE) as UserSettingName[]

/** Personal settings: all others can be preset for new users with PATCH /realm/user_settings_defaults. */
const NOT_PRESETTABLE: readonly UserSettingName[] = [
  ...SHOWN_SETTINGS,
  'default_language',
  'enable_login_emails',
  'enable_marketing_emails',
  'allow_private_data_export',
]

export const PRESETTABLE_USER_SETTING_NAMES = USER_SETTING_NAMES.filter(
  (name) => !NOT_PRESETTABLE.includes(name),
)

/** Settings about privacy, and about what belongs to a person: administrators do not change those of others. */
export const SETTINGS_OF_ONESELF: readonly UserSettingName[] = [
  ...SHOWN_SETTINGS,
  'allow_private_data_export',
  'email_address_visibility',
  'enable_digest_emails',
  'enable_login_emails',
  'enable_marketing_emails',
  'presence_enabled',
  'send_private_typing_notifications',
  'send_read_receipts',
  'send_stream_typing_notifications',
]

/** Keys of `realm_user_settings_defaults`, without what is of a person. */
export const REALM_DEFAULT_SETTING_NAMES = USER_SETTING_NAMES.filter((name) => !isShownSetting(name))

/** Returns the settings of a user who has not changed any. */
export function defaultUserSettings(): UserSettings {
  return Object.fromEntries(USER_SETTING_NAMES.map((name) => [name, TABLE[name].default])) as UserSettings
}

/** Returns the settings that older clients know as display or as notification settings. */
export function settingsWithLegacyForm(
  settings: UserSettings,
  form: 'display' | 'notification',
): Partial<UserSettings> {
  return Object.fromEntries(
    USER_SETTING_NAMES.filter((name) => TABLE[name].legacy === form).map((name) => [name, settings[name]]),
  )
}

/** Returns the value in its stored form. Throws BAD_REQUEST with the setting's own text. */
export function checkUserSetting<Name extends UserSettingName>(
  name: Name,
  given: unknown,
): UserSettings[Name] {
  const value = name === 'web_home_view' ? storedHomeView(given) : given
  const setting: UserSetting<UserSettings[Name]> = USER_SETTINGS[name]
  if (!hasType(setting.type, value)) {
    throw new BadRequestError(`${name} is not ${setting.type === 'integer' ? 'an' : 'a'} ${setting.type}`)
  }
  const typed = value as UserSettings[Name]
  const problem = setting.problem(name, typed)
  if (problem !== null) throw new BadRequestError(problem)
  return typed
}

function hasType(type: UserSetting['type'], value: unknown): boolean {
  return type === 'integer' ? Number.isSafeInteger(value) : typeof value === type
}
