import { describe, expect, it } from 'vitest'
import { askWorker } from '../../support/api.ts'
import { atLevel, buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { holdPolls } from '../../support/held-polls.ts'
import { changeRealm } from '../../support/inside.ts'
import { REGISTER_KEYS } from '../../support/inside-declarations.ts'
import { readJson } from '../../support/json.ts'
import { QUOTAS } from '../../support/limits.ts'
import { ALL_CAPABILITIES, openQueue, type TestQueue } from '../../support/queues.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, member } = useRealm({ member: { name: 'Maya Member' } }, { name: 'Ferns' })

/** The mobile client cannot open the account without any of these (docs/interface/clients.md#the-mobile-client). */
const MOBILE_KEYS = `queue_id last_event_id zulip_feature_level zulip_version zulip_merge_base
  custom_profile_fields max_stream_name_length max_topic_length server_presence_ping_interval_seconds
  server_presence_offline_threshold_seconds realm_emoji realm_user_groups recent_private_conversations
  subscriptions unread_msgs starred_messages streams user_settings user_topics realm_wildcard_mention_policy
  realm_name realm_waiting_period_threshold realm_allow_message_editing realm_enable_read_receipts
  realm_icon_url realm_presence_disabled realm_default_external_accounts max_file_upload_size_mib
  server_emoji_data_url event_queue_longpoll_timeout_seconds realm_users realm_non_active_users
  cross_realm_bots alert_words muted_users presences user_status`

/** Other keys that the terminal client reads (docs/interface/clients.md#the-terminal-client). */
const TERMINAL_KEYS = `max_message_id user_id email full_name realm_message_retention_days muted_topics
  realm_message_content_edit_limit_seconds realm_allow_edit_history`

/** Keys that the web client checks before it draws anything (docs/interface/clients.md#the-web-client; docs/interface/register.md#what-is-asked-for; docs/interface/register.md#settings-of-the-organization-in-it). */
const WEB_KEYS = `custom_profile_field_types realm_available_video_chat_providers giphy_rating_options
  server_supported_permission_settings realm_user_settings_defaults onboarding_steps
  navigation_tour_video_url scheduled_messages realm_bots realm_billing unsubscribed never_subscribed
  server_generation stop_words realm_logo_url realm_logo_source realm_night_logo_url
  realm_night_logo_source realm_icon_source drafts saved_snippets reminders navigation_views
  channel_folders realm_default_streams realm_default_stream_groups giphy_api_key tenor_api_key has_zoom_token
  has_webex_token realm_uuid realm_default_avatar_source realm_media_preview_size realm_send_channel_events_messages
  realm_workplace_users_group
  realm_gif_rating_policy gif_rating_policy_options
  push_devices realm_domains realm_embedded_bots realm_incoming_webhook_bots realm_filters
  realm_linkifiers realm_playgrounds avatar_source avatar_url avatar_url_medium delivery_email is_admin
  is_owner is_moderator is_guest can_create_private_streams can_create_public_streams
  can_create_web_public_streams can_create_streams can_subscribe_other_users can_invite_others_to_realm
  realm_create_public_stream_policy realm_create_private_stream_policy
  realm_create_web_public_stream_policy realm_authentication_methods max_icon_file_size_mib
  max_logo_file_size_mib max_avatar_file_size_mib realm_upload_quota_mib realm_url realm_uri
  realm_bot_domain settings_send_digest_emails realm_digest_emails_enabled realm_email_auth_enabled
  realm_password_auth_enabled realm_org_type realm_plan_type zulip_plan_is_not_limited
  svc_plan_is_not_limited realm_svc_update_announcements_stream_id
  upgrade_text_for_wide_organization_logo realm_push_notifications_enabled
  realm_push_notifications_enabled_end_timestamp password_min_length password_max_length
  password_min_guesses realm_date_created realm_empty_topic_display_name realm_topics_policy
  realm_mandatory_topics realm_message_edit_history_visibility_policy server_needs_upgrade
  development_environment server_inline_image_preview server_inline_url_embed_preview
  server_thumbnail_formats server_avatar_changes_disabled server_name_changes_disabled
  server_web_public_streams_enabled server_jitsi_server_url jitsi_server_url
  server_can_summarize_topics server_report_message_types idle_queue_timeout_secs
  realm_owner_full_content_access server_typing_started_expiry_period_milliseconds
  server_typing_stopped_wait_period_milliseconds server_typing_started_wait_period_milliseconds
  server_min_deactivated_realm_deletion_days server_max_deactivated_realm_deletion_days
  realm_moderation_request_channel_id realm_new_stream_announcements_stream_id
  realm_signup_announcements_stream_id realm_zulip_update_announcements_stream_id max_message_length
  max_stream_description_length max_bulk_new_subscription_messages max_channel_folder_name_length
  max_channel_folder_description_length max_reminder_note_length svc_version svc_feature_level
  svc_merge_base`

/** A copy of a backup has these besides. */
const ONLY_IN_COPIES = ['realm_copy_of']

const keysOf = (text: string) => text.split(/\s+/)

describe('the snapshot', () => {
  it.each([
    ['mobile', MOBILE_KEYS, undefined],
    ['terminal', TERMINAL_KEYS, undefined],
    ['web', WEB_KEYS, 420],
  ])('has every key that the %s client needs', async (_client, keys, level) => {
    const { snapshot } = await openQueue(level === undefined ? member : atLevel(member, level))
    expect(keysOf(keys).filter((key) => !(key in snapshot))).toEqual([])
  })

  it('is what the terminal client asks for, with subscribers in full and presences by address', async () => {
    expectSuccess(await member.api.post('/users/me/presence', { status: 'active', new_user_input: true }))
    const snapshot = expectSuccess(
      await member.api.post('/register', {
        event_types: ['message', 'update_message', 'reaction', 'subscription', 'typing', 'realm_user'],
        fetch_event_types: [
          'realm',
          'presence',
          'subscription',
          'message',
          'starred_messages',
          'update_message_flags',
          'muted_topics',
          'realm_user',
          'realm_user_groups',
          'user_settings',
          'realm_emoji',
          'custom_profile_fields',
          'zulip_version',
        ],
        include_subscribers: true,
        client_gravatar: true,
        apply_markdown: true,
        client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
      }),
    )
    const wanted = keysOf(`${TERMINAL_KEYS} queue_id last_event_id zulip_version realm_name
      custom_profile_fields presences realm_emoji realm_user_groups subscriptions unread_msgs user_settings
      realm_users cross_realm_bots starred_messages realm_allow_message_editing`)
    expect(wanted.filter((key) => !(key in snapshot))).toEqual([])
    expect(snapshot.subscriptions[0].subscribers).toContain(member.id)
    expect(snapshot.subscriptions[0]).toHaveProperty('message_retention_days')
    expect(snapshot.presences[member.email]).toMatchObject({
      aggregated: { status: 'active' },
      website: { status: 'active' },
    })
  })

  it('has a key for each property and permission of the organization', async () => {
    const { snapshot } = await openQueue(member)
    for (const name of Object.keys(snapshot.server_supported_permission_settings.realm)) {
      expect(snapshot).toHaveProperty(`realm_${name}`)
    }
    expect(snapshot).toMatchObject({
      last_event_id: -1,
      realm_name: 'Ferns',
      realm_invite_required: true,
      realm_message_content_edit_limit_seconds: 600,
      realm_can_create_groups: 6,
      realm_wildcard_mention_policy: 5,
      realm_authentication_methods: { Email: { enabled: true, available: true } },
      realm_signup_announcements_stream_id: -1,
      server_emoji_data_url: `http://${realm.host}/emoji-data.json`,
      jitsi_server_url: 'https://meet.jit.si',
    })
  })

  it('shows the caller and everybody, closed accounts apart, and no activity on users', async () => {
    const closed = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${closed.id}`))
    const { snapshot } = await openQueue(member, { client_gravatar: false })
    const own = snapshot.realm_users.find((user: { user_id: number }) => user.user_id === member.id)
    expect(own).toMatchObject({ full_name: 'Maya Member', profile_data: {}, bot_type: null })
    expect(own).not.toHaveProperty('is_active')
    expect(own.avatar_url).toContain('gravatar.com')
    expect(snapshot.realm_non_active_users.map((user: { user_id: number }) => user.user_id)).toContain(
      closed.id,
    )
    expect(snapshot.cross_realm_bots).toHaveLength(3)
    for (const bot of snapshot.cross_realm_bots) {
      expect(bot).toMatchObject({ is_bot: true, is_system_bot: true })
      expect(bot).not.toHaveProperty('profile_data')
    }
    expect(snapshot).toMatchObject({
      user_id: member.id,
      email: member.email,
      is_admin: false,
      can_create_streams: true,
      can_subscribe_other_users: true,
      can_invite_others_to_realm: true,
    })
  })

  it('hides default channels and the right to make any from guests', async () => {
    const { snapshot } = await openQueue(await buildUser(realm, { role: 600 }))
    expect(snapshot).toMatchObject({
      is_guest: true,
      can_create_streams: false,
      can_subscribe_other_users: false,
      can_invite_others_to_realm: false,
      realm_default_streams: [],
    })
    const own = await openQueue(member)
    expect(own.snapshot.realm_default_streams).toHaveLength(3)
  })

  it('lists recent direct conversations, newest first; notes to oneself have no ids', async () => {
    const me = await buildUser(realm)
    const say = (to: number[]) =>
      me.api.post('/messages', { type: 'direct', to, content: 'hello' }).then(expectSuccess)
    const first = await say([member.id])
    const self = await say([me.id])
    const group = await say([member.id, realm.owner.id])
    const { snapshot } = await openQueue(me)
    const others = [member.id, realm.owner.id].sort((a, b) => a - b)
    // The last one is from the welcome bot.
    expect(snapshot.recent_private_conversations.slice(0, -1)).toEqual([
      { user_ids: others, max_message_id: group.id },
      { user_ids: [], max_message_id: self.id },
      { user_ids: [member.id], max_message_id: first.id },
    ])
  })

  it('holds only what was asked for, and ignores unknown names', async () => {
    const snapshot = expectSuccess(
      await member.api.post('/register', { fetch_event_types: ['realm_emoji', 'zulip_version', 'nonsense'] }),
    )
    expect(Object.keys(snapshot).sort()).toEqual(
      [
        'idle_queue_timeout_secs',
        'last_event_id',
        'msg',
        'queue_id',
        'realm_emoji',
        'result',
        'svc_feature_level',
        'svc_merge_base',
        'svc_version',
        'zulip_feature_level',
        'zulip_merge_base',
        'zulip_version',
      ].sort(),
    )
  })

  it.each(Object.entries(REGISTER_KEYS))(
    'has the keys of %s, and no others, where they are asked for',
    async (type, keys) => {
      const ask = (types: string[]) =>
        member.api.post('/register', { fetch_event_types: types }).then(expectSuccess).then(Object.keys)
      const always = await ask([])
      const present = Object.keys(keys).filter((key) => !ONLY_IN_COPIES.includes(key))
      expect(new Set(await ask([type]))).toEqual(new Set([...always, ...present]))
    },
  )

  it('has unread messages only where messages and flags are both asked for', async () => {
    const ask = (types: string[]) => member.api.post('/register', { event_types: types }).then(expectSuccess)
    expect(await ask(['message'])).not.toHaveProperty('unread_msgs')
    expect(await ask(['update_message_flags'])).not.toHaveProperty('unread_msgs')
    expect(await ask(['message', 'update_message_flags'])).toHaveProperty('unread_msgs')
  })
})

/** Registrations share cached parts of their answers; each caller must see every change all the same. */
describe('a snapshot after a change', () => {
  it('shows new names, roles, closed accounts and channels at once', async () => {
    const {
      realm: own,
      admin,
      user,
      channel,
    } = await buildRealm({ admin: 'administrator', user: 'member' }, { channels: { channel: ['owner'] } })
    const look = async (viewer = admin) => (await openQueue(viewer, { include_subscribers: true })).snapshot
    const person = (snapshot: { realm_users: { user_id: number }[] }, id: number) =>
      snapshot.realm_users.find(({ user_id }) => user_id === id)
    const inSnapshot = (snapshot: { streams: { stream_id: number }[] }) =>
      snapshot.streams.find(({ stream_id }) => stream_id === channel.id)

    expect(person(await look(), user.id)).toMatchObject({ role: 400 })
    expectSuccess(await own.owner.api.patch(`/users/${user.id}`, { full_name: 'New Name', role: 300 }))
    expect(person(await look(), user.id)).toMatchObject({ full_name: 'New Name', role: 300 })
    expect((await look()).realm_user_groups.find(({ id }: { id: number }) => id === 4).members).toEqual([
      user.id,
    ])

    const quiet = (snapshot: { streams: { name: string }[] }) =>
      snapshot.streams.find(({ name }) => name === 'sandbox')
    expect(quiet(await look())).toMatchObject({ first_message_id: null })
    const { id } = expectSuccess(
      await own.owner.api.post('/messages', { type: 'channel', to: 'sandbox', topic: 't', content: 'first' }),
    )
    expect(quiet(await look())).toMatchObject({ first_message_id: id })
    expect(inSnapshot(await look())).toMatchObject({ subscriber_count: 1 })
    expectSuccess(await user.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }))
    expect(inSnapshot(await look())).toMatchObject({ subscriber_count: 2 })
    const [mine] = (await look(user)).subscriptions.filter(
      ({ stream_id }: { stream_id: number }) => stream_id === channel.id,
    )
    expect(mine.subscribers).toEqual([own.owner.id, user.id])

    expectSuccess(await own.owner.api.delete(`/users/${user.id}`))
    expect(person(await look(), user.id)).toBeUndefined()
    expect(inSnapshot(await look())).toMatchObject({ subscriber_count: 1 })
  })

  it('shows each role the e-mail addresses it may see, and the caller’s own', async () => {
    const { realm: own, shy, other } = await buildRealm({ shy: 'member', other: 'member' })
    expectSuccess(await shy.api.patch('/settings', { email_address_visibility: 3 }))
    const emailFor = async (viewer: TestUser) => {
      const { snapshot } = await openQueue(viewer)
      return snapshot.realm_users.find(({ user_id }: { user_id: number }) => user_id === shy.id)
        .delivery_email
    }
    expect(await emailFor(other)).toBeNull()
    expect(await emailFor(own.owner)).toBe(shy.email)
    expect(await emailFor(shy)).toBe(shy.email)
    expect(await emailFor(other)).toBeNull()
    expectSuccess(await shy.api.patch('/settings', { email_address_visibility: 1 }))
    expect(await emailFor(other)).toBe(shy.email)
  })

  it('shows nothing of a change that was refused halfway', async () => {
    const { realm: own, user } = await buildRealm({ user: 'member' })
    await openQueue(own.owner)
    const refused = await own.owner.api.patch(`/users/${user.id}`, { role: 300, full_name: 'x' })
    expect(refused.status).toBe(400)
    const { snapshot } = await openQueue(own.owner)
    const shown = snapshot.realm_users.find(({ user_id }: { user_id: number }) => user_id === user.id)
    expect(shown.role).toBe(400)
    expect(snapshot.realm_user_groups.find(({ id }: { id: number }) => id === 4).members).toEqual([])
  })
})

describe('settings in the snapshot', () => {
  it('are one object, and separate keys for clients that do not know it', async () => {
    const { snapshot } = await openQueue(member)
    expect(snapshot.user_settings).toMatchObject({
      twenty_four_hour_time: false,
      starred_message_counts: true,
      presence_enabled: true,
      emojiset: 'google',
      timezone: '',
    })
    expect(snapshot.user_settings.emojiset_choices[0]).toEqual({ key: 'google', text: 'Google' })
    expect(snapshot.user_settings.available_notification_sounds).toContain('zulip')
    expect(snapshot).not.toHaveProperty('twenty_four_hour_time')
    const { snapshot: old } = await openQueue(member, {
      client_capabilities: { ...ALL_CAPABILITIES, user_settings_object: false },
    })
    expect(old).toMatchObject({
      twenty_four_hour_time: false,
      enable_desktop_notifications: true,
      timezone: '',
    })
    expect(old.user_settings.twenty_four_hour_time).toBe(false)
  })

  it('resolve inherited notifications for clients that do not know null', async () => {
    const { snapshot } = await openQueue(member)
    expect(snapshot.subscriptions[0].desktop_notifications).toBeNull()
    const { snapshot: old } = await openQueue(member, {
      client_capabilities: { notification_settings_null: false },
    })
    expect(old.subscriptions[0].desktop_notifications).toBe(false)
  })
})

describe('parameters of registration', () => {
  const refusal = async (params: Record<string, string | object>) =>
    (await member.api.post('/register', params as Record<string, object>)).body

  it('are checked in type and form', async () => {
    for (const [params, msg] of [
      [{ apply_markdown: 'True' }, 'apply_markdown is not valid JSON'],
      [{ client_gravatar: '1' }, 'client_gravatar is not a boolean'],
      [{ event_types: '"message"' }, 'event_types is not a list'],
      [{ event_types: [1] }, 'event_types[0] is not a string'],
      [{ narrow: ['channel'] }, 'narrow[0] is not a list'],
      [{ narrow: [['channel', 5]] }, 'narrow[0][1] is not a string'],
      [{ narrow: [['is', 'dm'], ['topic']] }, 'Invalid narrow[1]: Value error, element is not a string pair'],
      [{ narrow: [['topic', 'a', 'b']] }, 'Invalid narrow[0]: Value error, element is not a string pair'],
      [{ narrow: [['near', '5']] }, 'Operator near not supported.'],
      [{ narrow: [['is', 'followed']] }, 'Operand followed not supported.'],
      [{ client_capabilities: [] }, 'client_capabilities is not a dict'],
      [
        { client_capabilities: {} },
        'client_capabilities["notification_settings_null"] field is missing: Field required',
      ],
      [{ queue_lifespan_secs: 'x' }, 'queue_lifespan_secs is not valid JSON'],
    ] as const) {
      expect(await refusal(params)).toMatchObject({ code: 'BAD_REQUEST', msg })
    }
  })

  it('may be null, or name event types and capabilities this server lacks', async () => {
    expectSuccess(
      await member.api.post('/register', {
        event_types: null,
        fetch_event_types: null,
        client_capabilities: { notification_settings_null: true, something_new: 5 },
        include_subscribers: 'partial',
        slim_presence: true,
      }),
    )
  })

  it('narrow a queue to the empty topic by its display name too', async () => {
    const channel = await buildChannel([member])
    const narrowedTo = (topic: string) =>
      openQueue(member, {
        narrow: [
          ['channel', channel.name],
          ['topic', topic],
        ],
        fetch_event_types: [],
      })
    const queues = [await narrowedTo('general chat'), await narrowedTo(''), await narrowedTo('lunch')]
    const { id } = expectSuccess(
      await member.api.post('/messages', { type: 'channel', to: channel.id, topic: '', content: 'Hello' }),
    )
    const received = await Promise.all(queues.map((queue) => queue.eventsOf('message')))
    expect(received.map((events) => events.map(({ message }) => message.id))).toEqual([[id], [id], []])
  })

  it('give events of all public channels to everybody but guests', async () => {
    expectSuccess(await member.api.post('/register', { all_public_streams: true }))
    const guest = await buildUser(realm, { role: 600 })
    expect((await guest.api.post('/register', { all_public_streams: true })).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'User not authorized for this query',
    })
  })

  it('need credentials', async () => {
    const response = await realm.anonymous.post('/register')
    expect(response.status).toBe(401)
    expect(response.body.code).toBe('UNAUTHORIZED')
  })
})

describe('queues of one user', () => {
  it('are limited: the one unused longest is deleted, and none that is polled', async () => {
    const user = await buildUser(realm)
    const settings = { event_types: ['message'], fetch_event_types: [] }
    const others = await openQueue(member, settings)
    const waited = await openQueue(user, settings)
    const [poll] = await holdPolls([waited])
    const open: TestQueue[] = []
    for (const age of [500, 400, 300]) {
      world.clockOffset = -age
      open.push(await openQueue(user, settings))
    }
    world.clockOffset = 0
    const [first, second, third] = open as [TestQueue, TestQueue, TestQueue]
    await insertQueuesLike(third.id, QUOTAS.queues.account - 4)
    expect(await first.events()).toEqual([])
    await openQueue(user, settings)
    const gone = await user.api.get('/events', { queue_id: second.id, last_event_id: -1 })
    expect(gone).toMatchObject({ status: 400, body: { code: 'BAD_EVENT_QUEUE_ID', queue_id: second.id } })
    for (const queue of [first, third, others]) expect(await queue.events()).toEqual([])
    expectSuccess(await user.api.delete('/events', { queue_id: waited.id }))
    expect(await poll).toEqual([])
  })
})

/** Adds queues as if `count` more clients had registered since, with the same options. */
function insertQueuesLike(id: string, count: number): Promise<unknown> {
  return changeRealm(realm, ({ sql }) =>
    sql.run(
      `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?2)
     INSERT INTO queue (id, user_id, start_event, acked_event, seen_at, lifespan, options)
     SELECT user_id || '-' || printf('%032x', n), user_id, start_event, acked_event, seen_at + 1, lifespan, options
     FROM queue, number WHERE id = ?1`,
      id,
      count,
    ),
  )
}

describe('the emoji document', () => {
  it('is public, for any origin, and cacheable', async () => {
    const { snapshot } = await openQueue(member)
    const response = await askWorker(new Request(snapshot.server_emoji_data_url))
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('cache-control')).toMatch(/^public, max-age=\d+/)
    const { code_to_names } = await readJson<{ code_to_names: Record<string, string[]> }>(response)
    expect(code_to_names['1f604']).toContain('smile')
    expect(Object.keys(code_to_names).length).toBeGreaterThan(1_000)
  })
})
