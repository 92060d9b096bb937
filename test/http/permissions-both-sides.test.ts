import { describe, expect, it } from 'vitest'
import { PERMISSIONS_BOTH_SIDES, settingsShownBy } from '../settings-table/table.ts'
import type { ApiResponse } from '../support/api.ts'
import { type Attempt, anew, during, isDone, type Settings } from '../support/both-sides.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { insertUsers } from '../support/inside.ts'
import { sendTo } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { pngOf } from '../support/pictures.ts'
import { postFiles } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { whileSettings } from '../support/while-settings.ts'

/**
 * Each permission with a group that refuses it and with one that allows it, and what people can do then. Permissions for which other tests show
 * this are not here; the table of settings (test/settings-table) names those tests.
 */

/** Ids of system groups. */
const [NOBODY, OWNERS, MEMBERS, EVERYONE] = [1, 2, 6, 7]

const { realm, owner, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

neverEvict()
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

describe('a permission of the organization', () => {
  it.each(Object.keys(OF_ORGANIZATIONS))('%s', async (key) => {
    const { refused = NOBODY, allowed = MEMBERS, beside, tries } = OF_ORGANIZATIONS[key]!
    const [, name] = key.split(' ')
    const attempt = await tries()
    expect(await during(realm, { ...beside, [name!]: refused! }, () => isDone(attempt))).toBe(false)
    expect(await during(realm, { ...beside, [name!]: allowed! }, () => isDone(attempt))).toBe(true)
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

describe('both sides of a permission', () => {
  it('are shown for each that the table of settings names', () => {
    const shown = [OF_ORGANIZATIONS, OF_CHANNELS, OF_GROUPS].flatMap(Object.keys)
    expect(shown.sort()).toEqual(settingsShownBy(PERMISSIONS_BOTH_SIDES).sort())
  })
})
