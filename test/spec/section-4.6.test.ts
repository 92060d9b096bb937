import { beforeAll, describe, expect, it } from 'vitest'
import type { ParameterValue } from '../support/api.ts'
import { buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { openQueue } from '../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../support/refusals.ts'
import { useRealm } from '../support/use-realm.ts'

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

const { realm, early } = useRealm({ early: 'member' })
/** Settings of new users, by position: each was created while every setting had the value at this position of its list. */
const newcomers: Settings[] = []
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
    newcomers.push(await settingsOf(await buildUser(realm)))
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

describe('4.6 Update realm-level defaults of user settings', () => {
  it.each(VALUES)('%s: %j is given to new users', (name, value, round) => {
    expect(newcomers[round]?.[name]).toBe(value)
  })

  it('existing users are not changed', () => {
    expect(earlySettings.length).toBeGreaterThan(2)
    for (const settings of earlySettings) expect(settings).toEqual(earlySettings[0])
  })

  it.each(BOOLEANS)('%s is a boolean', async (name) => {
    expectRefusal(await change({ [name]: 1 }), `${name} is not a boolean`)
  })

  it.each(Object.entries(CHOICES))('%s: no value besides %j', async (name, values) => {
    for (const value of typeof values[0] === 'number' ? [0, values.length + 1] : ['', 'nonsense']) {
      expectRefusal(await change({ [name]: value }), `Invalid ${name}`)
    }
  })

  it('notification_sound: only those there are', async () => {
    expectRefusal(await change({ notification_sound: 'trumpet' }), "Invalid notification sound 'trumpet'")
  })

  it('email_notifications_batching_period_seconds: more than nothing, at most a week', async () => {
    for (const seconds of [0, -1, 604_801]) {
      expectRefusal(
        await change({ email_notifications_batching_period_seconds: seconds }),
        `Invalid email batching period: ${seconds} seconds`,
      )
    }
  })

  it('all parameters are optional', async () => {
    const queue = await openQueue(early)
    expect(expectSuccess(await change({}))).toEqual({ result: 'success', msg: '' })
    expect(await queue.events()).toEqual([])
  })

  it('one wrong value changes nothing', async () => {
    const before = await settingsOf(await buildUser(realm))
    expect((await change({ enter_sends: !before.enter_sends, color_scheme: 9 })).status).toBe(400)
    expect((await settingsOf(await buildUser(realm))).enter_sends).toBe(before.enter_sends)
  })

  it('everybody is notified of each change, and of nothing else', async () => {
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

  it('administrators may, everybody else may not', async () => {
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
})
