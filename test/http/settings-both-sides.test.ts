import { describe, expect, it } from 'vitest'
import { settingsOfBothSides } from '../settings-table/table.ts'
import type { ApiResponse, ParameterValue } from '../support/api.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { insertUsers } from '../support/inside.ts'
import { sendTo } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { pngOf } from '../support/pictures.ts'
import { usePushRealm } from '../support/push-realm.ts'
import { postFiles } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { whileSettings } from '../support/while-settings.ts'
import { world } from '../support/world.ts'

/**
 * Each setting with one value and with another, and the difference that it makes. Settings for which other tests show this
 * are not here; the table of settings (test/settings-table) names those tests.
 */

/** Ids of system groups. */
const [NOBODY, OWNERS, MEMBERS, EVERYONE] = [1, 2, 6, 7]

const { realm, owner, ann, ben } = useRealm({
  /** The group of members. */
  ann: 'member',
  ben: 'member',
})

neverEvict()

type Settings = Readonly<Record<string, ParameterValue>>
/** A function that makes one request as Ann and returns the answer. */
type Attempt = () => Promise<ApiResponse>

let numbers = 0
const anew = (what: string) => {
  numbers += 1
  return `${what} ${numbers}`
}

const isDone = async (attempt: Attempt) => (await attempt()).body.result === 'success'
const set = async (user: TestUser, settings: Settings) => {
  expectSuccess(await user.api.patch('/settings', settings))
}
/** Returns the result of `look` while the organization has these settings. */
async function during<Seen>(settings: Settings, look: () => Promise<Seen>): Promise<Seen> {
  let seen: Seen | undefined
  await whileSettings(realm, settings, async () => {
    seen = await look()
  })
  return seen as Seen
}
const rendered = async (content: string): Promise<string> =>
  expectSuccess(await ann.api.post('/messages/render', { content })).rendered
const join = (user: TestUser, name: string, more: Settings = {}) =>
  user.api.post('/users/me/subscriptions', { subscriptions: [{ name }], ...more })
const post = (user: TestUser, to: number, content = 'x', topic = 'walls') =>
  user.api.post('/messages', { type: 'channel', to, topic, content })

/** An action of members that the settings `refused` forbid and the settings `allowed` permit. */
interface Permission {
  /** Value of the setting that forbids the action; the group of nobody unless it is not allowed. */
  readonly refused?: number
  readonly allowed?: number
  /** Other settings of the organization, without which the action does not depend on this setting alone. */
  readonly beside?: Settings
  readonly tries: () => Promise<Attempt>
}

const message = async (sender = owner, more: readonly TestUser[] = []) => {
  const channel = await buildChannel([owner, ann, ...more])
  return { channel, id: await sendTo(sender, channel.id, 'walls') }
}
const move =
  (id: number, to: Settings): Attempt =>
  () =>
    ann.api.patch(`/messages/${id}`, { propagate_mode: 'change_one', ...to })

const OF_ORGANIZATIONS: Readonly<Record<string, Permission>> = {
  'realm create_multiuse_invite_group': {
    tries: async () => () => ann.api.post('/invites/multiuse', { stream_ids: [] }),
  },
  'realm can_add_custom_emoji_group': {
    tries: async () => async () => {
      const name = anew('emoji').replace(' ', '_')
      return postFiles(ann, `/realm/emoji/${name}`, [pngOf(8, 8)])
    },
  },
  'realm can_add_subscribers_group': {
    tries: async () => {
      const { name } = await buildChannel([owner, ann])
      return () => join(ann, name, { principals: [ben.id] })
    },
  },
  'realm can_create_bots_group': {
    beside: { can_create_write_only_bots_group: MEMBERS },
    tries: async () => () => makeBot(1),
  },
  'realm can_create_write_only_bots_group': {
    beside: { can_create_bots_group: NOBODY },
    tries: async () => () => makeBot(2),
  },
  'realm can_create_groups': {
    tries: async () => () =>
      ann.api.post('/user_groups/create', { name: anew('group'), description: '', members: [ann.id] }),
  },
  'realm can_create_private_channel_group': {
    tries: async () => () => join(ann, anew('private'), { invite_only: true }),
  },
  'realm can_create_public_channel_group': { tries: async () => () => join(ann, anew('public')) },
  'realm can_delete_any_message_group': {
    tries: async () => {
      const { id } = await message()
      return () => ann.api.delete(`/messages/${id}`)
    },
  },
  'realm can_delete_own_message_group': {
    allowed: EVERYONE,
    tries: async () => {
      const { id } = await message(ann)
      return () => ann.api.delete(`/messages/${id}`)
    },
  },
  'realm can_invite_users_group': {
    tries: async () => () =>
      ann.api.post('/invites', {
        invitee_emails: `${anew('new').replace(' ', '')}@example.com`,
        stream_ids: [],
      }),
  },
  'realm can_manage_all_groups': {
    refused: OWNERS,
    tries: async () => {
      const id = await groupWith([owner])
      return () => ann.api.patch(`/user_groups/${id}`, { description: anew('d') })
    },
  },
  'realm can_mention_many_users_group': {
    tries: async () => {
      const { id } = await buildChannel([owner, ann])
      await insertUsers(realm, 16, id)
      return () => post(ann, id, '@**all**')
    },
  },
  'realm can_move_messages_between_channels_group': {
    tries: async () => {
      const { id } = await message()
      const to = await buildChannel([owner, ann])
      return move(id, { stream_id: to.id })
    },
  },
  'realm can_move_messages_between_topics_group': {
    tries: async () => move((await message()).id, { topic: 'moved' }),
  },
  'realm can_resolve_topics_group': {
    beside: { can_move_messages_between_topics_group: NOBODY },
    tries: async () => move((await message()).id, { topic: '✔ walls', propagate_mode: 'change_all' }),
  },
  'realm can_set_delete_message_policy_group': {
    tries: async () => {
      const { id } = await buildChannel([ann])
      return () => ann.api.patch(`/streams/${id}`, { can_delete_any_message_group: { new: MEMBERS } })
    },
  },
  'realm can_set_topics_policy_group': {
    tries: async () => {
      const { id } = await buildChannel([ann])
      return () => ann.api.patch(`/streams/${id}`, { topics_policy: 'disable_empty_topic' })
    },
  },
  'realm direct_message_initiator_group': {
    tries: async () => {
      const cat = await buildUser(realm)
      return () => ann.api.post('/messages', { type: 'direct', to: [cat.id], content: 'x' })
    },
  },
  'realm direct_message_permission_group': {
    tries: async () => () => ann.api.post('/messages', { type: 'direct', to: [ben.id], content: 'x' }),
  },
}

function makeBot(bot_type: number): Promise<ApiResponse> {
  const name = anew('bot')
  return ann.api.post('/bots', { full_name: name, short_name: name.replace(' ', '-'), bot_type })
}

/** A permission setting of a channel, and an attempt in a channel of the owner's. */
interface ChannelPermission {
  readonly beside?: Settings
  readonly isPrivate?: boolean
  readonly tries: (channel: { id: number; name: string }) => Promise<Attempt>
}

const WITHOUT_MOVES = {
  can_move_messages_between_channels_group: NOBODY,
  can_move_messages_between_topics_group: NOBODY,
  can_resolve_topics_group: NOBODY,
}
const WITHOUT_DELETION = { can_delete_any_message_group: NOBODY, can_delete_own_message_group: NOBODY }

const OF_CHANNELS: Readonly<Record<string, ChannelPermission>> = {
  'channel can_add_subscribers_group': {
    beside: { can_add_subscribers_group: NOBODY },
    tries: async ({ name }) => {
      const cat = await buildUser(realm)
      return () => join(ann, name, { principals: [cat.id] })
    },
  },
  'channel can_administer_channel_group': {
    tries:
      async ({ id }) =>
      () =>
        ann.api.patch(`/streams/${id}`, { description: anew('d') }),
  },
  'channel can_create_topic_group': {
    tries:
      async ({ id }) =>
      () =>
        ann.api.post('/messages', { type: 'channel', to: id, topic: anew('topic'), content: 'x' }),
  },
  'channel can_delete_any_message_group': {
    beside: WITHOUT_DELETION,
    tries: async ({ id }) => {
      const sent = await sendTo(owner, id, 'walls')
      return () => ann.api.delete(`/messages/${sent}`)
    },
  },
  'channel can_delete_own_message_group': {
    beside: WITHOUT_DELETION,
    tries: async ({ id }) => {
      const sent = await sendTo(ann, id, 'walls')
      return () => ann.api.delete(`/messages/${sent}`)
    },
  },
  'channel can_move_messages_out_of_channel_group': {
    beside: WITHOUT_MOVES,
    tries: async ({ id }) => {
      const to = await buildChannel([owner, ann])
      return move(await sendTo(owner, id, 'walls'), { stream_id: to.id })
    },
  },
  'channel can_move_messages_within_channel_group': {
    beside: WITHOUT_MOVES,
    tries: async ({ id }) => move(await sendTo(owner, id, 'walls'), { topic: 'moved' }),
  },
  'channel can_remove_subscribers_group': {
    tries:
      async ({ name }) =>
      () =>
        ann.api.delete('/users/me/subscriptions', { subscriptions: [name], principals: [ben.id] }),
  },
  'channel can_resolve_topics_group': {
    beside: WITHOUT_MOVES,
    tries: async ({ id }) =>
      move(await sendTo(owner, id, 'walls'), { topic: '✔ walls', propagate_mode: 'change_all' }),
  },
  'channel can_send_message_group': {
    tries:
      async ({ id }) =>
      () =>
        post(ann, id),
  },
  'channel can_subscribe_group': {
    isPrivate: true,
    tries:
      async ({ name }) =>
      () =>
        join(ann, name),
  },
}

/** A permission setting of a group, and an attempt on a group of the owner's in which Ben is. */
type GroupAttempt = (id: number, name: string) => Promise<ApiResponse>

const members = (id: number, change: Settings) => ann.api.post(`/user_groups/${id}/members`, change)

const OF_GROUPS: Readonly<Record<string, GroupAttempt>> = {
  'group can_add_members_group': (id) => members(id, { add: [realm.owner.id] }),
  'group can_join_group': (id) => members(id, { add: [ann.id] }),
  'group can_leave_group': (id) => members(id, { delete: [ann.id] }),
  'group can_manage_group': (id) => ann.api.patch(`/user_groups/${id}`, { description: anew('d') }),
  'group can_mention_group': (_id, name) =>
    ann.api.post('/messages', { type: 'direct', to: [ben.id], content: `@*${name}*` }),
  'group can_remove_members_group': (id) => members(id, { delete: [ben.id] }),
}

async function groupWith(people: readonly TestUser[], name = anew('group')): Promise<number> {
  const { group_id } = expectSuccess(
    await owner.api.post('/user_groups/create', {
      name,
      description: '',
      members: people.map(({ id }) => id),
    }),
  )
  return group_id
}

/**
 * Checks that Ann's attempt fails after 1,000 seconds while the setting's limit is shorter, and succeeds while it is
 * longer.
 */
async function withinLimit(name: string, tries: () => Promise<Attempt>): Promise<void> {
  const attempt = await tries()
  world.clockOffset = 1_000
  expect(await during({ [name]: 600 }, () => isDone(attempt))).toBe(false)
  expect(await during({ [name]: 2_000 }, () => isDone(attempt))).toBe(true)
}

const OTHERS: Readonly<Record<string, () => Promise<void>>> = {
  'user translate_emoticons': async () => {
    await set(ann, { translate_emoticons: true })
    expect(await rendered(':)')).toContain('class="emoji')
    await set(ann, { translate_emoticons: false })
    expect(await rendered(':)')).toBe('<p>:)</p>')
  },
  'user resolved_topic_notice_auto_read_policy': async () => {
    const noticeIsRead = async (resolved_topic_notice_auto_read_policy: string) => {
      const { channel, id } = await message(owner, [ben])
      const followed = { stream_id: channel.id, topic: 'walls', visibility_policy: 3 }
      expectSuccess(await ben.api.post('/user_topics', followed))
      await set(ben, { resolved_topic_notice_auto_read_policy })
      expectSuccess(
        await owner.api.patch(`/messages/${id}`, { topic: '✔ walls', propagate_mode: 'change_all' }),
      )
      const { messages } = expectSuccess(
        await ben.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 }),
      )
      expect(messages[0].content).toContain('has marked this topic as resolved')
      return messages[0].flags.includes('read')
    }
    expect(await noticeIsRead('always')).toBe(true)
    expect(await noticeIsRead('never')).toBe(false)
  },
  'subscription in_home_view': async () => {
    const channel = await buildChannel([ann])
    for (const value of [false, true]) {
      const subscription_data = [{ stream_id: channel.id, property: 'in_home_view', value }]
      expectSuccess(await ann.api.post('/users/me/subscriptions/properties', { subscription_data }))
      const { subscriptions } = expectSuccess(await ann.api.get('/users/me/subscriptions'))
      const own = subscriptions.find(({ stream_id }: { stream_id: number }) => stream_id === channel.id)
      expect(own).toMatchObject({ in_home_view: value, is_muted: !value })
    }
  },
  'realm description': async () => {
    const said = async () => expectSuccess(await realm.anonymous.get('/server_settings')).realm_description
    expect(await during({ description: 'A *castle*' }, said)).toBe('<p>A <em>castle</em></p>')
    expect(await during({ description: 'Another' }, said)).toBe('<p>Another</p>')
  },
  'realm second_factor_required_for': async () => {
    const login = { username: ann.email, password: 'a fine password' }
    const status = async () => (await realm.anonymous.post('/fetch_api_key', login)).status
    expect(await during({ second_factor_required_for: 'everybody' }, status)).toBe(401)
    expect(await during({ second_factor_required_for: 'nobody' }, status)).toBe(200)
  },
  'realm require_unique_names': async () => {
    const rename = () => ann.api.patch('/settings', { full_name: ben.fullName })
    expect(await during({ require_unique_names: true }, () => isDone(rename))).toBe(false)
    expect(await during({ require_unique_names: false }, () => isDone(rename))).toBe(true)
    expectSuccess(await ann.api.patch('/settings', { full_name: 'Ann' }))
  },
  'realm inline_image_preview': async () => {
    const shown = async () => (await rendered('https://example.com/a.png')).includes('<img')
    expect(await during({ inline_image_preview: true }, shown)).toBe(true)
    expect(await during({ inline_image_preview: false }, shown)).toBe(false)
  },
  'realm message_content_delete_limit_seconds': () =>
    withinLimit('message_content_delete_limit_seconds', async () => {
      const { id } = await message(ann)
      return () => ann.api.delete(`/messages/${id}`)
    }),
  'realm message_content_edit_limit_seconds': () =>
    withinLimit('message_content_edit_limit_seconds', async () => {
      const { id } = await message(ann)
      return () => ann.api.patch(`/messages/${id}`, { content: 'other' })
    }),
  'realm allow_message_editing': async () => {
    const { id } = await message(ann)
    const edit = () => ann.api.patch(`/messages/${id}`, { content: anew('text') })
    expect(await during({ allow_message_editing: false }, () => isDone(edit))).toBe(false)
    expect(await during({ allow_message_editing: true }, () => isDone(edit))).toBe(true)
  },
  'realm default_language': async () => {
    const languageOfNew = async () => {
      const newMember = await buildUser(realm)
      const { user_settings } = expectSuccess(
        await newMember.api.post('/register', {
          fetch_event_types: ['user_settings'],
          client_capabilities: { notification_settings_null: true, user_settings_object: true },
        }),
      )
      return user_settings.default_language
    }
    expect(await during({ default_language: 'de' }, languageOfNew)).toBe('de')
    expect(await during({ default_language: 'en' }, languageOfNew)).toBe('en')
  },
  'realm new_stream_announcements_stream_id': async () => {
    const announcements = await buildChannel([owner])
    const announced = async () => {
      const name = anew('announced')
      expectSuccess(await join(owner, name, { announce: true }))
      const { messages } = expectSuccess(
        await owner.api.get('/messages', {
          anchor: 'newest',
          num_before: 10,
          num_after: 0,
          narrow: [{ operator: 'channel', operand: announcements.id }],
        }),
      )
      return messages.some(({ content }: { content: string }) => content.includes(name))
    }
    const to = (new_stream_announcements_stream_id: number) =>
      during({ new_stream_announcements_stream_id }, announced)
    expect(await to(announcements.id)).toBe(true)
    expect(await to(-1)).toBe(false)
  },
  'realm default_code_block_language': async () => {
    const code = () => rendered('```\nx\n```')
    expect(await during({ default_code_block_language: 'python' }, code)).toContain(
      'data-code-language="Python"',
    )
    expect(await during({ default_code_block_language: '' }, code)).not.toContain('data-code-language')
  },
  'realm topics_policy': async () => {
    const { id } = await buildChannel([owner, ann])
    const send = () => post(ann, id, 'x', '')
    expect(await during({ topics_policy: 'disable_empty_topic' }, () => isDone(send))).toBe(false)
    expect(await during({ topics_policy: 'allow_empty_topic' }, () => isDone(send))).toBe(true)
  },
  'realm move_messages_within_stream_limit_seconds': () =>
    withinLimit('move_messages_within_stream_limit_seconds', async () =>
      move((await message()).id, { topic: 'moved' }),
    ),
  'realm move_messages_between_streams_limit_seconds': () =>
    withinLimit('move_messages_between_streams_limit_seconds', async () => {
      const { id } = await message()
      return move(id, { stream_id: (await buildChannel([owner, ann])).id })
    }),
  'channel history_public_to_subscribers': async () => {
    for (const history_public_to_subscribers of [true, false]) {
      const channel = await buildChannel([owner], { invite_only: true, history_public_to_subscribers })
      const id = await sendTo(owner, channel.id, 'walls')
      expectSuccess(await join(owner, channel.name, { principals: [ann.id] }))
      expect(await isDone(() => ann.api.get(`/messages/${id}`))).toBe(history_public_to_subscribers)
    }
  },
  'channel topics_policy': async () => {
    const { id } = await buildChannel([owner, ann])
    const sendsWithout = async (topics_policy: string) => {
      expectSuccess(await owner.api.patch(`/streams/${id}`, { topics_policy }))
      return isDone(() => post(ann, id, 'x', ''))
    }
    expect(await sendsWithout('disable_empty_topic')).toBe(false)
    expect(await sendsWithout('allow_empty_topic')).toBe(true)
  },
}

/** Messages that notify Ben's phone, each with the setting of his that decides about it. */
const OF_DEVICES: Readonly<Record<string, { topic?: true; content: string }>> = {
  'user enable_followed_topic_push_notifications': { topic: true, content: 'Hello' },
  'user enable_followed_topic_wildcard_mentions_notify': { topic: true, content: '@**all**' },
  'user wildcard_mentions_notify': { content: '@**all**' },
}

describe('a permission of the organization', () => {
  it.each(Object.keys(OF_ORGANIZATIONS))('%s', async (key) => {
    const { refused = NOBODY, allowed = MEMBERS, beside, tries } = OF_ORGANIZATIONS[key]!
    const [, name] = key.split(' ')
    const attempt = await tries()
    expect(await during({ ...beside, [name!]: refused! }, () => isDone(attempt))).toBe(false)
    expect(await during({ ...beside, [name!]: allowed! }, () => isDone(attempt))).toBe(true)
  })
})

describe('a permission of a channel', () => {
  it.each(Object.keys(OF_CHANNELS))('%s', async (key) => {
    const { beside = {}, isPrivate = false, tries } = OF_CHANNELS[key]!
    const [, name] = key.split(' ')
    const channel = await buildChannel(isPrivate ? [owner] : [owner, ann, ben], { invite_only: isPrivate })
    const attempt = await tries(channel)
    await whileSettings(realm, beside, async () => {
      for (const [group, done] of [
        [NOBODY, false],
        [MEMBERS, true],
      ] as const) {
        expectSuccess(await owner.api.patch(`/streams/${channel.id}`, { [name!]: { new: group } }))
        expect([group, await isDone(attempt)]).toEqual([group, done])
      }
    })
  })
})

describe('a permission of a user group', () => {
  it.each(Object.keys(OF_GROUPS))('%s', async (key) => {
    const [, setting] = key.split(' ')
    const name = anew('group')
    const id = await groupWith(setting === 'can_leave_group' ? [ann, ben] : [ben], name)
    for (const [group, done] of [
      [NOBODY, false],
      [MEMBERS, true],
    ] as const) {
      expectSuccess(await owner.api.patch(`/user_groups/${id}`, { [setting!]: { new: group } }))
      expect([group, await isDone(() => OF_GROUPS[key]!(id, name))]).toEqual([group, done])
    }
  })
})

describe('any other setting', () => {
  it.each(Object.keys(OTHERS))('%s', (key) => OTHERS[key]!())
})

describe('what a device is sent', () => {
  const org = usePushRealm()

  it.each(Object.keys(OF_DEVICES))('%s', async (key) => {
    const { topic, content } = OF_DEVICES[key]!
    const [, name] = key.split(' ')
    if (topic) await org.setForTopic(org.ben, 'walls', 3)
    const others = Object.fromEntries(
      Object.keys(OF_DEVICES).map((other): [string, boolean] => [other.split(' ')[1]!, false]),
    )
    for (const isOn of [true, false]) {
      await org.set(org.ben, { ...others, [name!]: isOn })
      expect(await org.notifiedOf(org.say(org.ann, content))).toEqual(isOn ? [org.ben.id] : [])
    }
  })
})

describe('both sides of a setting', () => {
  it('are shown for each that the table of settings names', () => {
    const shown = [OF_ORGANIZATIONS, OF_CHANNELS, OF_GROUPS, OTHERS, OF_DEVICES].flatMap(Object.keys)
    expect(shown.sort()).toEqual(settingsOfBothSides().sort())
  })
})
