import { beforeAll, describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const BOOLEANS = `starred_message_counts receives_typing_notifications web_suggest_update_timezone
  fluid_layout_width high_contrast_mode enable_drafts_synchronization translate_emoticons
  display_emoji_reaction_users web_escape_navigates_to_home_view left_side_userlist hide_ai_features
  enable_stream_desktop_notifications enable_stream_email_notifications enable_stream_push_notifications
  enable_stream_audible_notifications enable_desktop_notifications enable_sounds
  enable_followed_topic_desktop_notifications enable_followed_topic_email_notifications
  enable_followed_topic_push_notifications enable_followed_topic_audible_notifications
  enable_offline_email_notifications enable_offline_push_notifications enable_online_push_notifications
  enable_digest_emails message_content_in_email_notifications pm_content_in_desktop_notifications
  wildcard_mentions_notify enable_followed_topic_wildcard_mentions_notify
  automatically_follow_topics_where_mentioned presence_enabled enter_sends twenty_four_hour_time
  send_private_typing_notifications send_stream_typing_notifications send_read_receipts
  web_navigate_to_sent_message`.split(/\s+/)

const CHOICES: Record<string, readonly (number | string)[]> = {
  web_channel_default_view: [1, 2, 3, 4],
  color_scheme: [1, 2, 3],
  demote_inactive_streams: [1, 2, 3],
  user_list_style: [1, 2, 3],
  web_stream_unreads_count_display_policy: [1, 2, 3],
  desktop_icon_count_display: [1, 2, 3, 4],
  automatically_follow_topics_policy: [1, 2, 3, 4],
  automatically_unmute_topics_in_muted_streams_policy: [1, 2, 3, 4],
  email_address_visibility: [1, 2, 3, 4, 5],
  realm_name_in_email_notifications_policy: [1, 2, 3],
  web_home_view: ['recent_topics', 'inbox', 'all_messages'],
  emojiset: ['text', 'google', 'twitter'],
  web_animate_image_previews: ['always', 'on_hover', 'never'],
  resolved_topic_notice_auto_read_policy: ['always', 'except_followed', 'never'],
}

const OTHERS: Record<string, readonly (number | string)[]> = {
  web_font_size_px: [12, 20],
  web_line_height_percent: [120, 160],
  email_notifications_batching_period_seconds: [60, 604_800],
  notification_sound: ['ding', 'none'],
}

const SETTINGS: Record<string, readonly ParameterValue[]> = {
  ...Object.fromEntries(BOOLEANS.map((name) => [name, [true, false]])),
  ...CHOICES,
  ...OTHERS,
}
const VALUES = Object.entries(SETTINGS).flatMap(([name, values]) =>
  values.map((value, round): [string, ParameterValue, number] => [name, value, round]),
)

type Settings = Record<string, unknown>

const { realm, ann, early } = useRealm({ ann: 'member', early: 'member' })
/** Settings of new users, by position: each was created while every setting had the value at this position of its list. */
const newMembers: Settings[] = []
/** Settings of a user who existed before, at the same times. */
const earlySettings: Settings[] = []
beforeAll(async () => {
  earlySettings.push(await settingsOf(early))
  const rounds = Math.max(...Object.values(SETTINGS).map((values) => values.length))
  for (let round = 0; round < rounds; round += 1) {
    const params = Object.entries(SETTINGS).flatMap(([name, values]) =>
      values[round] === undefined ? [] : [[name, values[round]]],
    )
    expectSuccess(await change(Object.fromEntries(params)))
    newMembers.push(await settingsOf(await buildUser(realm)))
    earlySettings.push(await settingsOf(early))
  }
})

function change(params: Record<string, ParameterValue>, user = realm.owner) {
  return user.api.patch('/realm/user_settings_defaults', params)
}

async function settingsOf(user: TestUser): Promise<Settings> {
  const { snapshot } = await openQueue(user, { fetch_event_types: ['user_settings'] })
  return snapshot.user_settings
}

describe('a default for new users', () => {
  it.each(VALUES)('is what they get for %s: %j', (name, value, round) => {
    expect(newMembers[round]?.[name]).toBe(value)
  })

  it('changes no present user', () => {
    expect(earlySettings.length).toBeGreaterThan(2)
    for (const settings of earlySettings) expect(settings).toEqual(earlySettings[0])
  })

  it.each(Object.entries(CHOICES))('has no value for %s besides %j', async (name, values) => {
    for (const value of typeof values[0] === 'number' ? [0, values.length + 1] : ['', 'nonsense']) {
      expectRefusal(await change({ [name]: value }), `Invalid ${name}`)
    }
  })

  it('delays mails for more than nothing, and a week at most', async () => {
    for (const seconds of [0, -1, 604_801]) {
      expectRefusal(
        await change({ email_notifications_batching_period_seconds: seconds }),
        `Invalid email batching period: ${seconds} seconds`,
      )
    }
  })

  it('is an event for everyone only if it changes', async () => {
    const now = (await settingsOf(await buildUser(realm))).starred_message_counts
    const queue = await openQueue(early)
    expectSuccess(await change({ starred_message_counts: !now }))
    expectSuccess(await change({ starred_message_counts: !now }))
    expect(await queue.events()).toEqual([
      {
        id: expect.any(Number),
        type: 'realm_user_settings_defaults',
        op: 'update',
        property: 'starred_message_counts',
        value: !now,
      },
    ])
  })

  it('is set by administrators alone', async () => {
    expectSuccess(await change({ color_scheme: 2 }, await buildUser(realm, { role: 200 })))
    for (const role of [300, 400, 600] as const) {
      expectRefusal(
        await change({ color_scheme: 2 }, await buildUser(realm, { role })),
        'Must be an organization administrator',
        { code: 'UNAUTHORIZED_PRINCIPAL' },
      )
    }
    expectUnauthorized(await realm.anonymous.patch('/realm/user_settings_defaults', { color_scheme: 2 }))
  })

  it('that turns drafts off deletes nobody’s', async () => {
    const draft = { type: '', to: [], topic: '', content: 'kept', timestamp: 1_700_000_000 }
    expectSuccess(await ann.api.post('/drafts', { drafts: [draft] }))
    expectSuccess(await change({ enable_drafts_synchronization: false }))
    expect(expectSuccess(await ann.api.get('/drafts')).count).toBe(1)
    expectSuccess(await change({ enable_drafts_synchronization: true }))
  })

  it.each([
    ['web_mark_read_on_scroll_policy', 2],
    ['web_left_sidebar_show_channel_folders', false],
    ['web_left_sidebar_unreads_count_summary', false],
    ['web_inbox_show_channel_folders', false],
  ])('may be one of the settings of later levels: %s', async (name, value) => {
    expect(expectSuccess(await change({ [name]: value }))).not.toHaveProperty(
      'ignored_parameters_unsupported',
    )
    const { snapshot } = await openQueue(await buildUser(realm), { fetch_event_types: ['user_settings'] })
    expect(snapshot.user_settings[name]).toBe(value)
  })

  it('has google, twitter, text, and the legacy google-blob as sets of emoji', async () => {
    for (const emojiset of ['google', 'twitter', 'text', 'google-blob'])
      expectSuccess(await change({ emojiset }))
    expectRefusal(await change({ emojiset: 'apple' }), 'Invalid emojiset')
  })
})
