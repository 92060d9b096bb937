import { beforeAll, describe, expect, it } from 'vitest'
import type { ParameterValue } from '../support/api.ts'
import { buildChannel, buildUser, expectSuccess } from '../support/factories.ts'
import { sendTo } from '../support/messages.ts'
import { openQueue } from '../support/queues.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'
import { whileSettings } from './while-settings.ts'

const { realm, ann, ben, shy, channel } = useRealm(
  {
    ann: 'member',
    ben: 'member',
    /** Only moderators and above may see this user's address. */
    shy: 'member',
  },
  { channels: { channel: ['ann', 'ben', 'shy'] } },
)
beforeAll(async () => {
  expectSuccess(await shy.api.patch('/settings', { email_address_visibility: 5 }))
})

function edit(id: number, params: Record<string, ParameterValue>, user = ann) {
  return user.api.patch(`/messages/${id}`, params)
}

async function read(id: number, user = ben) {
  return expectSuccess(await user.api.get(`/messages/${id}`)).message
}

async function userOf(id: number, params: Record<string, ParameterValue> = {}, viewer = ann) {
  return expectSuccess(await viewer.api.get(`/users/${id}`, params)).user
}

let groups = 0
function createGroup(settings: Record<string, ParameterValue>) {
  groups += 1
  const params = { name: `decided ${groups}`, description: '', members: [ann.id] }
  return ann.api.post('/user_groups/create', { ...params, ...settings })
}

async function groupOf(id: number) {
  const { user_groups } = expectSuccess(await ann.api.get('/user_groups'))
  return user_groups.find((group: { id: number }) => group.id === id)
}

describe('Decisions 2: Records', () => {
  it('2.3, 4.16 edit_history is newest first, message_history oldest first', async () => {
    const id = await sendTo(ann, channel.id, 'orders', 'one')
    for (const content of ['two', 'three']) expectSuccess(await edit(id, { content }))
    const { edit_history } = await read(id)
    expect(edit_history.map((entry: { prev_content: string }) => entry.prev_content)).toEqual(['two', 'one'])
    const { message_history } = expectSuccess(await ben.api.get(`/messages/${id}/history`))
    expect(message_history.map(({ content }: { content: string }) => content)).toEqual([
      'one',
      'two',
      'three',
    ])
  })

  it.each(['moves', 'none'])(
    '2.3 under the policy %s edit_history without visible entries is left out; timestamps stay',
    async (policy) => {
      const id = await sendTo(ann, channel.id, 'policies', 'one')
      expectSuccess(await edit(id, { content: 'two' }))
      await whileSettings(realm, { message_edit_history_visibility_policy: policy }, async () => {
        const message = await read(id)
        expect(message).not.toHaveProperty('edit_history')
        expect(message).toMatchObject({ last_edit_timestamp: expect.any(Number) })
      })
    },
  )

  it('2.3 a message’s avatar_url is null only if everyone may see the sender’s address', async () => {
    expect((await read(await sendTo(ann, channel.id, 'pictures'))).avatar_url).toBeNull()
    const hidden = await sendTo(shy, channel.id, 'pictures')
    for (const reader of [ben, realm.owner]) expect((await read(hidden, reader)).avatar_url).toMatch(/^http/)
  })

  it('2.5 avatar_url is null if this reader sees the address; in lists, if all may', async () => {
    expect((await userOf(shy.id)).avatar_url).toMatch(/^http/)
    expect((await userOf(shy.id, {}, realm.owner)).avatar_url).toBeNull()
    const byEmail = await realm.owner.api.get(`/users/${shy.email}`, { client_gravatar: true })
    expect(expectSuccess(byEmail).user.avatar_url).toBeNull()
    const { members } = expectSuccess(await realm.owner.api.get('/users', { client_gravatar: true }))
    const { snapshot } = await openQueue(realm.owner, { client_gravatar: true, client_capabilities: null })
    const isShy = ({ user_id }: { user_id: number }) => user_id === shy.id
    expect(members.find(isShy).avatar_url).toMatch(/^http/)
    expect(snapshot.realm_users.find(isShy).avatar_url).toMatch(/^http/)
  })

  it('2.5 bot_type and bot_owner_id are null for humans, in register and realm_user add too', async () => {
    const human = { bot_type: null, bot_owner_id: null }
    const queue = await openQueue(ben)
    const carl = await buildUser(realm)
    expect((await queue.eventsOf('realm_user', 'add'))[0]?.person).toMatchObject(human)
    expect(await userOf(carl.id)).toMatchObject(human)
    const { snapshot } = await openQueue(ben, { fetch_event_types: ['realm_user'] })
    const isCarl = ({ user_id }: { user_id: number }) => user_id === carl.id
    expect(snapshot.realm_users.find(isCarl)).toMatchObject(human)
  })

  it('2.5 a user has one API email for all readers; those who may, read delivery_email', async () => {
    const dummy = `user${shy.id}@${realm.host}`
    expect(await userOf(shy.id)).toMatchObject({ email: dummy, delivery_email: null })
    expect(await userOf(shy.id, {}, realm.owner)).toMatchObject({ email: dummy, delivery_email: shy.email })
  })

  it('2.5 profile_data is never a key of a bot', async () => {
    const { user_id } = expectSuccess(
      await ann.api.post('/bots', { full_name: 'Bot', short_name: 'keyless' }),
    )
    expect(await userOf(user_id, { include_custom_profile_fields: true })).not.toHaveProperty('profile_data')
    const { snapshot } = await openQueue(ben, { fetch_event_types: ['realm_user'] })
    const bot = snapshot.realm_users.find((one: { user_id: number }) => one.user_id === user_id)
    expect(bot).not.toHaveProperty('profile_data')
  })

  it('2.5 timezone is "" when unset', async () => {
    expect(await userOf(ben.id)).toMatchObject({ timezone: '' })
  })

  it('2.6 can_mention_group: role:owners as an integer is refused, as a subgroup beside others allowed', async () => {
    const refusal = "'can_mention_group' setting cannot be set to 'role:owners' group."
    expectRefusal(await createGroup({ can_mention_group: 2 }), refusal)
    const value = { direct_members: [ann.id], direct_subgroups: [2] }
    const { group_id } = expectSuccess(await createGroup({ can_mention_group: value }))
    expect((await groupOf(group_id)).can_mention_group).toEqual(value)
    expectRefusal(await ann.api.patch(`/user_groups/${group_id}`, { can_mention_group: { new: 2 } }), refusal)
  })

  it.each([
    'can_add_members_group',
    'can_join_group',
    'can_leave_group',
    'can_manage_group',
    'can_mention_group',
    'can_remove_members_group',
  ])('2.6 role:internet for none of the settings: not for %s', async (name) => {
    expectRefusal(
      await createGroup({ [name]: 8 }),
      `'${name}' setting cannot be set to 'role:internet' group.`,
    )
  })

  it.each([
    ['can_add_members_group', false],
    ['can_join_group', false],
    ['can_leave_group', true],
    ['can_manage_group', false],
    ['can_mention_group', true],
    ['can_remove_members_group', false],
  ])('2.6 role:everyone for %s: %j', async (name, allowed) => {
    const answer = await createGroup({ [name]: 7 })
    if (allowed) expectSuccess(answer)
    else expectRefusal(answer, `'${name}' setting cannot be set to 'role:everyone' group.`)
  })

  it('2.1 an object needs both arrays', async () => {
    for (const value of [{ direct_members: [ann.id] }, { direct_subgroups: [4] }, {}]) {
      expect((await createGroup({ can_mention_group: value })).body.code).toBe('BAD_REQUEST')
    }
  })

  it('2.7, 6 a queue with include_subscribers has subscribers, in snapshot and event; without, neither key', async () => {
    for (const [include, expected] of [
      [true, true],
      ['partial', true],
      [false, false],
    ] as const) {
      const queue = await openQueue(ben, { include_subscribers: include })
      expect('subscribers' in queue.snapshot.subscriptions[0]).toBe(expected)
      const made = await buildChannel([ann])
      expectSuccess(await ben.api.post('/users/me/subscriptions', { subscriptions: [{ name: made.name }] }))
      const [added] = (await queue.eventsOf('subscription', 'add'))[0]!.subscriptions
      expect('subscribers' in added).toBe(expected)
      if (!expected) expect(added).not.toHaveProperty('partial_subscribers')
    }
  })

  it('2.7, 8 partial gives all subscribers, and never both keys', async () => {
    const { snapshot } = await openQueue(ben, { include_subscribers: 'partial' })
    const own = snapshot.subscriptions.find((one: { stream_id: number }) => one.stream_id === channel.id)
    expect(own.subscribers).toEqual([ann.id, ben.id, shy.id])
    expect(own).not.toHaveProperty('partial_subscribers')
  })

  it('2.9 a legacy entry of presence has aggregated and website', async () => {
    const body = expectSuccess(await ann.api.post('/users/me/presence', { status: 'active' }))
    expect(Object.keys(body.presences[ann.email]).sort()).toEqual(['aggregated', 'website'])
  })

  it('2.14 a group mention sets mentioned', async () => {
    expectSuccess(
      await ann.api.post('/user_groups/create', { name: 'called', description: '', members: [ben.id] }),
    )
    expect((await read(await sendTo(ann, channel.id, 'x', '@*called*'))).flags).toEqual(['mentioned'])
  })

  it.each(['wildcard_mentioned', 'group_mentioned', 'historical', 'has_alert_word', 'mentioned'])(
    '2.14 %s is not settable: BAD_REQUEST',
    async (flag) => {
      const params = { messages: [await sendTo(ann, channel.id, 'x')], op: 'add', flag }
      const { status, body } = await ben.api.post('/messages/flags', params)
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
      expect(body.msg).toMatch(/^(Flag not editable|Invalid flag): /)
    },
  )

  it('3, 4.9 policy 2 is unmuted: it shows a topic of a muted channel', async () => {
    const muted = await buildChannel([ann, ben])
    const data = [{ stream_id: muted.id, property: 'is_muted', value: true }]
    expectSuccess(await ben.api.post('/users/me/subscriptions/properties', { subscription_data: data }))
    const set = { stream_id: muted.id, topic: 'shown', visibility_policy: 2 }
    expectSuccess(await ben.api.post('/user_topics', set))
    const ids = [await sendTo(ann, muted.id, 'shown'), await sendTo(ann, muted.id, 'hidden')]
    const isUnmuted: boolean[] = []
    for (const id of ids) {
      expectSuccess(await ben.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }))
      const queue = await openQueue(ben)
      expectSuccess(await ben.api.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' }))
      const [event] = await queue.eventsOf('update_message_flags')
      isUnmuted.push(event?.message_details[id].unmuted_stream_msg)
    }
    expect(isUnmuted).toEqual([true, false])
  })

  it('3, 4.9 policy 3 is followed: `is:followed` finds the topic', async () => {
    const carl = await buildUser(realm)
    const set = { stream_id: channel.id, topic: 'of interest', visibility_policy: 3 }
    expectSuccess(await carl.api.post('/user_topics', set))
    expectSuccess(await carl.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }))
    const ids = [await sendTo(ann, channel.id, 'of interest'), await sendTo(ann, channel.id, 'of none')]
    const narrow = [{ operator: 'is', operand: 'followed' }]
    const { messages } = expectSuccess(
      await carl.api.get('/messages', { anchor: 'newest', num_before: 10, narrow }),
    )
    expect(messages.map(({ id }: { id: number }) => id)).toEqual([ids[0]])
  })

  it('3, 4.9 policy 0 needs the organization’s channel; 1 to 3 need content access', async () => {
    const secret = await buildChannel([ben], { invite_only: true })
    const set = (stream_id: number, visibility_policy: number) =>
      ann.api.post('/user_topics', { stream_id, topic: 'x', visibility_policy })
    expectSuccess(await set(secret.id, 0))
    expectRefusal(await set(987_654, 0), 'Invalid channel ID')
    for (const policy of [1, 2, 3]) expectRefusal(await set(secret.id, policy), 'Invalid channel ID')
  })

  it.each(['change_one', 'change_later', 'change_all'])(
    '3, 4.2 resolving with %s: any mode, no time limit',
    async (propagate_mode) => {
      const id = await sendTo(ann, channel.id, `resolved by ${propagate_mode}`)
      world.clockOffset = 30 * 86_400
      expectSuccess(await edit(id, { topic: `✔ resolved by ${propagate_mode}`, propagate_mode }, ben))
    },
  )

  it('3, 4.2 resolving: a right in the channel counts, and the organization’s is always enough', async () => {
    const granted = await buildChannel([realm.owner, ann, ben], {
      can_resolve_topics_group: { direct_members: [ben.id], direct_subgroups: [] },
    })
    const id = await sendTo(ann, granted.id, 'granted')
    expectSuccess(await edit(id, { topic: '✔ granted' }))
    await whileSettings(realm, { can_resolve_topics_group: 3 }, async () => {
      const refusal = "You don't have permission to resolve topics in this channel."
      expectRefusal(await edit(id, { topic: 'granted' }), refusal)
      expectSuccess(await edit(id, { topic: 'granted' }, ben))
    })
  })

  it('3, 4.2 resolving: the notice about it is sent, and no other', async () => {
    const id = await sendTo(ann, channel.id, 'noticed')
    const queue = await openQueue(ben, { apply_markdown: false })
    expectSuccess(await edit(id, { topic: '✔ noticed', propagate_mode: 'change_all' }))
    expect((await queue.eventsOf('message')).map(({ message }) => message.content)).toEqual([
      expect.stringMatching(/has marked this topic as resolved\.$/),
    ])
  })
})
