import { describe, expect, test } from 'vitest'
import { SHOWN_SETTINGS } from '../../src/core/shown-settings.ts'
import {
  checkUserSetting,
  defaultUserSettings,
  PRESETTABLE_USER_SETTING_NAMES,
  REALM_DEFAULT_SETTING_NAMES,
  USER_SETTING_NAMES,
  USER_SETTINGS,
  type UserSettingName,
} from '../../src/store/users/settings/user-settings.ts'
import { refusal } from '../rules/refusal.ts'

/** docs/interface/settings.md#defaults-of-new-accounts, with its abbreviations. Settings of our own are not in it. */
const documented = `enter_sends f, left_side_userlist f, default_language en, web_home_view inbox, web_escape_navigates_to_home_view t, fluid_layout_width f, high_contrast_mode f, translate_emoticons f, display_emoji_reaction_users t, twenty_four_hour_time f, starred_message_counts t, web_suggest_update_timezone t, color_scheme 1, web_font_size_px 16, web_line_height_percent 140, web_animate_image_previews on_hover, demote_inactive_streams 1, web_mark_read_on_scroll_policy 1, web_channel_default_view 1, emojiset google, user_list_style 3, web_stream_unreads_count_display_policy 2, web_navigate_to_sent_message t, email_notifications_batching_period_seconds 120, enable_stream_desktop_notifications f, enable_stream_email_notifications f, enable_stream_push_notifications f, enable_stream_audible_notifications f, notification_sound zulip, wildcard_mentions_notify t, enable_followed_topic_desktop_notifications t, enable_followed_topic_email_notifications t, enable_followed_topic_push_notifications t, enable_followed_topic_audible_notifications t, enable_followed_topic_wildcard_mentions_notify t, enable_desktop_notifications t, pm_content_in_desktop_notifications t, enable_sounds t, enable_offline_email_notifications t, message_content_in_email_notifications t, enable_offline_push_notifications t, enable_online_push_notifications t, desktop_icon_count_display 1, enable_digest_emails t, enable_login_emails t, enable_marketing_emails t, presence_enabled t, realm_name_in_email_notifications_policy 1, automatically_follow_topics_policy 3, automatically_unmute_topics_in_muted_streams_policy 2, automatically_follow_topics_where_mentioned t, enable_drafts_synchronization t, send_stream_typing_notifications t, send_private_typing_notifications t, send_read_receipts t, receives_typing_notifications t, allow_private_data_export f, email_address_visibility 1, hide_ai_features f, resolved_topic_notice_auto_read_policy except_followed, web_left_sidebar_show_channel_folders t, web_left_sidebar_unreads_count_summary t, web_inbox_show_channel_folders t`

function readDefault(written: string): [string, unknown] {
  const [name = '', value = ''] = written.split(' ')
  if (value === 't' || value === 'f') return [name, value === 't']
  return [name, /^\d+$/.test(value) ? Number(value) : value]
}

describe('defaults', () => {
  test('are those of the public server’s settings', () => {
    expect(defaultUserSettings()).toMatchObject(Object.fromEntries(documented.split(', ').map(readDefault)))
  })

  test.each(USER_SETTING_NAMES)('%s allows its own default', (name) => {
    expect(checkUserSetting(name, USER_SETTINGS[name].default)).toBe(USER_SETTINGS[name].default)
  })
})

describe('values', () => {
  const accepted: [UserSettingName, unknown][] = [
    ['enter_sends', true],
    ['color_scheme', 3],
    ['web_channel_default_view', 4],
    ['email_address_visibility', 5],
    ['desktop_icon_count_display', 4],
    ['web_home_view', 'all_messages'],
    ['emojiset', 'google-blob'],
    ['emojiset', 'text'],
    ['web_font_size_px', 1],
    ['web_font_size_px', 100],
    ['web_line_height_percent', 122],
    ['notification_sound', 'ding'],
    ['notification_sound', 'none'],
    ['email_notifications_batching_period_seconds', 1],
    ['email_notifications_batching_period_seconds', 604_800],
    ['default_language', 'pt-br'],
    ['timezone', 'Asia/Kolkata'],
    ['timezone', ''],
  ]
  test.each(accepted)('%s takes %j', (name, value) => {
    expect(checkUserSetting(name, value)).toBe(value)
  })

  const refused: [UserSettingName, unknown, string][] = [
    ['enter_sends', 1, 'enter_sends is not a boolean'],
    ['enter_sends', 'true', 'enter_sends is not a boolean'],
    ['color_scheme', '1', 'color_scheme is not an integer'],
    ['color_scheme', 1.5, 'color_scheme is not an integer'],
    ['color_scheme', true, 'color_scheme is not an integer'],
    ['web_home_view', 7, 'web_home_view is not a string'],
    ['web_home_view', null, 'web_home_view is not a string'],
    ['color_scheme', 4, 'Invalid color_scheme'],
    ['color_scheme', 0, 'Invalid color_scheme'],
    ['web_channel_default_view', 5, 'Invalid web_channel_default_view'],
    ['email_address_visibility', 6, 'Invalid email_address_visibility'],
    ['web_home_view', 'drafts', 'Invalid web_home_view'],
    ['emojiset', 'apple', 'Invalid emojiset'],
    ['web_animate_image_previews', 'sometimes', 'Invalid web_animate_image_previews'],
    ['resolved_topic_notice_auto_read_policy', 'ever', 'Invalid resolved_topic_notice_auto_read_policy'],
    ['web_font_size_px', 0, 'web_font_size_px is too small'],
    ['web_font_size_px', 101, 'web_font_size_px is too large'],
    ['notification_sound', 'bell', "Invalid notification sound 'bell'"],
    ['email_notifications_batching_period_seconds', 0, 'Invalid email batching period: 0 seconds'],
    ['email_notifications_batching_period_seconds', -1, 'Invalid email batching period: -1 seconds'],
    ['email_notifications_batching_period_seconds', 604_801, 'Invalid email batching period: 604801 seconds'],
    ['default_language', 'xx', 'Invalid default_language'],
    ['default_language', '', 'Invalid default_language'],
    ['timezone', 'Nowhere/Land', 'Invalid timezone'],
    ['timezone', '+01:00', 'Invalid timezone'],
  ]
  test.each(refused)('%s refuses %j', (name, value, expected) => {
    expect(refusal(() => checkUserSetting(name, value))).toBe(expected)
  })
})

test('what is personal, or what others see, cannot be preset for new users', () => {
  const missing = USER_SETTING_NAMES.filter((name) => !PRESETTABLE_USER_SETTING_NAMES.includes(name))
  const decided = [
    'allow_private_data_export',
    'default_language',
    'enable_login_emails',
    'enable_marketing_emails',
  ]
  expect(missing.sort()).toEqual([...decided, ...SHOWN_SETTINGS].sort())
})

test('all but what others see are among the organization’s defaults', () => {
  const kept = new Set<string>(REALM_DEFAULT_SETTING_NAMES)
  const missing = USER_SETTING_NAMES.filter((name) => !kept.has(name))
  expect(missing.sort()).toEqual([...SHOWN_SETTINGS].sort())
})

test('the two deprecated events carry only the settings that existed then', () => {
  const withLegacy = (legacy: 'display' | 'notification') =>
    USER_SETTING_NAMES.filter((name) => USER_SETTINGS[name].legacy === legacy).sort()
  expect(withLegacy('display')).toEqual(
    [
      'color_scheme',
      'default_language',
      'demote_inactive_streams',
      'emojiset',
      'enable_drafts_synchronization',
      'enter_sends',
      'fluid_layout_width',
      'high_contrast_mode',
      'left_side_userlist',
      'starred_message_counts',
      'timezone',
      'translate_emoticons',
      'twenty_four_hour_time',
      'web_home_view',
    ].sort(),
  )
  expect(withLegacy('notification')).toEqual(
    [
      'desktop_icon_count_display',
      'email_notifications_batching_period_seconds',
      'enable_desktop_notifications',
      'enable_digest_emails',
      'enable_login_emails',
      'enable_marketing_emails',
      'enable_offline_email_notifications',
      'enable_offline_push_notifications',
      'enable_online_push_notifications',
      'enable_sounds',
      'enable_stream_audible_notifications',
      'enable_stream_desktop_notifications',
      'enable_stream_email_notifications',
      'enable_stream_push_notifications',
      'message_content_in_email_notifications',
      'notification_sound',
      'pm_content_in_desktop_notifications',
      'presence_enabled',
      'realm_name_in_email_notifications_policy',
      'wildcard_mentions_notify',
    ].sort(),
  )
})
