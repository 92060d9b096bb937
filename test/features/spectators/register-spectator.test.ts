import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess } from '../../support/factories.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { allowSpectators, openChannel, Spectator, say, WEB_PUBLIC } from '../../support/spectator.ts'
import { systemGroupId } from '../../support/system-groups.ts'
import { upload } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, owner, ann } = useRealm({ ann: 'member' })
let open: number
let anybody: Spectator

beforeAll(async () => {
  anybody = new Spectator(realm.host)
  await allowSpectators(realm)
  open = await openChannel(owner, 'open')
})
beforeEach(() => {
  world.settings = WEB_PUBLIC
})

const EMPTY = {
  unsubscribed: [],
  never_subscribed: [],
  realm_default_streams: [],
  realm_default_stream_groups: [],
  custom_profile_fields: [],
  alert_words: [],
  drafts: [],
  saved_snippets: [],
  scheduled_messages: [],
  muted_topics: [],
  muted_users: [],
  user_topics: [],
  starred_messages: [],
  recent_private_conversations: [],
  onboarding_steps: [],
  realm_bots: [],
  presences: {},
  user_status: {},
  max_message_id: -1,
}

describe('the snapshot without an account', () => {
  it('is that of a guest without name, data or rights, and has no queue', async () => {
    const state = expectSuccess(await anybody.register())
    expect(state).toMatchObject({
      ...EMPTY,
      queue_id: null,
      user_id: 0,
      email: 'username@example.com',
      delivery_email: 'username@example.com',
      full_name: 'Anonymous User',
      is_guest: true,
      is_admin: false,
      is_owner: false,
      is_moderator: false,
      can_create_streams: false,
      can_create_public_streams: false,
      can_create_private_streams: false,
      can_create_web_public_streams: false,
      can_subscribe_other_users: false,
      can_invite_others_to_realm: false,
      realm_allow_message_editing: false,
      realm_presence_disabled: true,
      server_web_public_streams_enabled: true,
      realm_enable_spectator_access: true,
      unread_msgs: { count: 0, pms: [], streams: [], mentions: [] },
      user_settings: { web_home_view: 'recent_topics', default_language: 'en' },
    })
    for (const absent of ['streams', 'last_event_id', 'presence_last_update_id']) {
      expect(state).not.toHaveProperty(absent)
    }
  })

  it('lists web-public channels like subscriptions, and archived ones for newer clients', async () => {
    await buildChannel([owner], { name: 'not open' })
    const old = await openChannel(owner, 'old')
    expectSuccess(await owner.api.delete(`/streams/${old}`))
    const ids = async (params = {}) => {
      const { subscriptions } = expectSuccess(await anybody.register(params))
      return subscriptions.map(({ stream_id }: { stream_id: number }) => stream_id).sort()
    }
    expect(await ids()).toEqual([open])
    const client_capabilities = { notification_settings_null: true, archived_channels: true }
    expect(await ids({ client_capabilities })).toEqual([old, open].sort())
    const [channel] = expectSuccess(await anybody.register()).subscriptions
    expect(channel).toMatchObject({ name: 'open', is_web_public: true, is_muted: false, color: '#76ce90' })
    expect(channel).not.toHaveProperty('subscribers')
  })

  it('names everybody, without profile data and e-mail addresses', async () => {
    const { realm_users } = expectSuccess(await anybody.register())
    const user = realm_users.find(({ user_id }: { user_id: number }) => user_id === ann.id)
    expect(user).toMatchObject({ full_name: 'Ann', delivery_email: null, role: 400 })
    expect(user.date_joined).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(user).not.toHaveProperty('timezone')
    expect(user).not.toHaveProperty('profile_data')
    expect(JSON.stringify(realm_users)).not.toContain(ann.email)
    expectSuccess(
      await owner.api.patch('/realm', { can_access_all_users_group: { new: systemGroupId('role:members') } }),
    )
    expect(expectSuccess(await anybody.register()).realm_users).toEqual(realm_users)
  })

  it('has only what was requested', async () => {
    const state = expectSuccess(await anybody.register({ fetch_event_types: ['realm_emoji'] }))
    expect(state).toHaveProperty('realm_emoji')
    expect(state).not.toHaveProperty('realm_users')
  })

  it.each([
    ['client_gravatar', true],
    ['include_subscribers', true],
    ['include_subscribers', 'partial'],
  ])('is refused with %s=%s', async (name, value) => {
    expectRefusal(
      await anybody.register({ [name]: value }),
      `Invalid '${name}' parameter for anonymous request`,
    )
    expectSuccess(await anybody.register({ [name]: false }))
  })
})

/** Returns all answers that a visitor without an account gets, as text. */
async function everything(marked: readonly number[]): Promise<string> {
  const { server_timestamp: _, ...state } = expectSuccess(
    await anybody.register({
      client_capabilities: { notification_settings_null: true, archived_channels: true },
    }),
  )
  const answers = [
    state,
    (await anybody.messages({ num_before: 1_000 })).body,
    (await anybody.get(`/users/me/${open}/topics`)).body,
    ...(await Promise.all(marked.map(async (id) => (await anybody.get(`/messages/${id}`)).body))),
    expectSuccess(await owner.api.get('/server_settings')),
  ]
  return JSON.stringify(answers)
}

it('the snapshot without an account contains no byte of what is not web-public', async () => {
  const said = await say(ann, open, 'in the open', 'for everybody')
  const before = await everything([said])
  const MARK = 'zyzzyva'
  const folder = expectSuccess(
    await owner.api.post('/channel_folders/create', { name: MARK, description: MARK }),
  ).channel_folder_id
  const secret = await buildChannel([owner, ann], {
    name: MARK,
    invite_only: true,
    folder_id: folder,
  })
  const publicOne = await buildChannel([owner, ann], { name: `${MARK} public` })
  for (const id of [secret.id, publicOne.id]) {
    const message = await say(ann, id, MARK, `${MARK} ${await upload(ann, { name: `${MARK}.txt` })}`)
    expectSuccess(await owner.api.post(`/messages/${message}/reactions`, { emoji_name: 'tada' }))
    expectSuccess(
      await ann.api.patch(`/messages/${message}`, { content: `${MARK} again`, topic: `${MARK} 2` }),
    )
  }
  expectSuccess(await ann.api.post('/messages', { type: 'direct', to: [owner.id], content: MARK }))
  expectSuccess(await ann.api.post('/users/me/status', { status_text: MARK }))
  expectSuccess(
    await ann.api.post('/drafts', { drafts: [{ type: 'private', to: [], topic: '', content: MARK }] }),
  )
  expectSuccess(await ann.api.post('/users/me/alert_words', { alert_words: [MARK] }))
  expectSuccess(await ann.api.patch('/users/me/profile_data', { data: [] }))
  expectSuccess(await owner.api.patch('/realm', { moderation_request_channel_id: secret.id }))
  expectSuccess(await owner.api.patch('/realm', { signup_announcements_stream_id: publicOne.id }))
  expectSuccess(await ann.api.post(`/messages/flags`, { messages: [said], op: 'add', flag: 'starred' }))
  const after = await everything([said])
  expect(after).not.toContain(MARK)
  expect(after).toBe(before)
})
