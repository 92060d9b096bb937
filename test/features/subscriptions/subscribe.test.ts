import { afterEach, describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { changeRealm } from '../../support/inside.ts'
import { ENDED_SUBSCRIPTIONS_OF_ACCOUNT } from '../../support/limits.ts'
import { openQueue, type TestEvent } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const PATH = '/users/me/subscriptions'

const { realm, ann, ben, admin, guest } = useRealm({
  ann: 'member',
  ben: 'member',
  admin: 'administrator',
  guest: 'guest',
})
/** The owner of another organization. */
const { owner: stranger } = useRealm()
let names = 0

afterEach(() => {
  world.clockOffset = 0
})

function newName(): string {
  names += 1
  return `room ${names}`
}

const kinds = (events: readonly TestEvent[]) => events.map(({ type, op }) => (op ? `${type}/${op}` : type))
const silent = (user: TestUser) =>
  `<span class="user-mention silent" data-user-id="${user.id}">${user.fullName}</span>`

describe('a channel that does not exist', () => {
  it('is created, sent to all who see it, and starts with a notice', async () => {
    const [creator, member, outsider, guestQueue] = await Promise.all(
      [ann, ben, admin, guest].map((user) => openQueue(user, { include_subscribers: true })),
    )
    const name = newName()
    const answer = expectSuccess(
      await ann.api.post(PATH, {
        subscriptions: [{ name: ` ${name} `, description: 'For\nplants' }],
        principals: [ann.id, ben.id],
      }),
    )
    expect(answer).toMatchObject({
      subscribed: { [ann.id]: [name], [ben.id]: [name] },
      already_subscribed: {},
      new_subscription_messages_sent: true,
    })
    expect(answer).not.toHaveProperty('unauthorized')
    const own = await creator!.events()
    expect(kinds(own)).toEqual(['stream/create', 'subscription/add', 'message'])
    expect(own[0]!.streams[0]).toMatchObject({
      name,
      description: 'For plants',
      rendered_description: '<p>For plants</p>',
      creator_id: ann.id,
      invite_only: false,
      history_public_to_subscribers: true,
      first_message_id: null,
      can_administer_channel_group: { direct_members: [ann.id], direct_subgroups: [] },
    })
    expect(own[1]!.subscriptions[0]).toMatchObject({
      name,
      subscribers: [ann.id, ben.id],
      subscriber_count: 2,
    })
    expect(own[2]).toMatchObject({ flags: ['read'], message: { subject: 'channel events' } })
    expect(own[2]!.message.content).toContain(
      `<strong>Public</strong> channel created by ${silent(ann)}. <strong>Description:</strong>`,
    )
    expect(own[2]!.message.content).toContain('<blockquote>\n<p>For plants</p>\n</blockquote>')
    const theirs = await member!.events()
    expect(kinds(theirs)).toEqual(['stream/create', 'subscription/add', 'message'])
    expect(theirs[2]!.flags).toEqual([])
    const seen = await outsider!.events()
    expect(kinds(seen)).toEqual(['stream/create', 'subscription/peer_add'])
    expect(seen[1]).toMatchObject({ stream_ids: [own[0]!.streams[0].stream_id], user_ids: [ann.id, ben.id] })
    expect(await guestQueue!.events()).toEqual([])
    const { subscriptions } = expectSuccess(await ben.api.get(PATH))
    expect(subscriptions.find((one: { name: string }) => one.name === name)).toMatchObject({
      first_message_id: own[2]!.message.id,
    })
  })

  it('that is private is sent to administrators and those in it alone', async () => {
    const queues = await Promise.all([ann, ben, admin, guest].map((user) => openQueue(user)))
    const { id } = await buildChannel([ann, guest], { invite_only: true })
    const [own, other, administrator, guests] = await Promise.all(queues.map((queue) => queue.events()))
    expect(kinds(own!)).toEqual(['stream/create', 'subscription/add', 'message'])
    expect(other).toEqual([])
    expect(kinds(administrator!)).toEqual(['stream/create', 'subscription/peer_add'])
    expect(kinds(guests!)).toEqual(['stream/create', 'subscription/add', 'message'])
    expect(guests![0]!.streams[0]).toMatchObject({
      stream_id: id,
      invite_only: true,
      history_public_to_subscribers: false,
    })
    expect(own![2]!.message.content).toContain('<strong>Private, protected history</strong> channel created')
    expect(own![2]!.message.content).toContain('<em>No description.</em>')
  })

  it('is announced in the channel that the organization chose for that', async () => {
    const queue = await openQueue(ben)
    const name = newName()
    expectSuccess(await ann.api.post(PATH, { subscriptions: [{ name }], announce: true }))
    const [message] = await queue.eventsOf('message')
    expect(message!.message).toMatchObject({ display_recipient: 'general', subject: 'new channels' })
    expect(message!.message.content).toMatch(
      new RegExp(`${silent(ann)} created a new channel <a class="stream".*>#${name}</a>.`),
    )
  })

  it('with only the empty topic has its notice there', async () => {
    const queue = await openQueue(ann)
    await buildChannel([ann], { topics_policy: 'empty_topic_only' })
    expect((await queue.eventsOf('message'))[0]!.message.subject).toBe('')
  })

  it('has the settings of the request', async () => {
    const { id } = await buildChannel([realm.owner], {
      invite_only: true,
      history_public_to_subscribers: true,
      message_retention_days: 30,
      topics_policy: 'disable_empty_topic',
      can_send_message_group: { direct_members: [ann.id, ann.id], direct_subgroups: [] },
      can_delete_any_message_group: 4,
    })
    const { stream } = expectSuccess(await realm.owner.api.get(`/streams/${id}`))
    expect(stream).toMatchObject({
      history_public_to_subscribers: true,
      message_retention_days: 30,
      topics_policy: 'disable_empty_topic',
      can_send_message_group: { direct_members: [ann.id], direct_subgroups: [] },
      can_delete_any_message_group: 4,
    })
    const unlimited = await buildChannel([realm.owner], { message_retention_days: '"unlimited"' })
    expect(expectSuccess(await ann.api.get(`/streams/${unlimited.id}`)).stream.message_retention_days).toBe(
      -1,
    )
  })

  it('that is a default one gets new users, and all but guests are notified', async () => {
    const [queue, guestQueue] = await Promise.all([openQueue(ann), openQueue(guest)])
    const { id } = await buildChannel([admin], { is_default_stream: true })
    const events = await queue!.events()
    expect(kinds(events)).toEqual(['stream/create', 'default_streams', 'subscription/peer_add'])
    expect(events[1]!.default_streams).toContain(id)
    expect(await guestQueue!.events()).toEqual([])
    const newMember = await buildUser(realm)
    const { subscriptions } = expectSuccess(await newMember.api.get(PATH))
    expect(subscriptions.map((one: { stream_id: number }) => one.stream_id)).toContain(id)
    expectSuccess(await admin.api.delete(`/default_streams`, { stream_id: id }))
  })

  it.each([
    [{ name: '  ' }, {}, "Channel name can't be empty."],
    [{ name: 'n'.repeat(61) }, {}, 'Channel name too long (limit: 60 characters).'],
    [{ name: 'a\nb' }, {}, 'Invalid character in channel name, at position 2.'],
    [
      { name: 'x', description: 'd'.repeat(1025) },
      {},
      'subscriptions[0]["description"] is too long (limit: 1024 characters)',
    ],
    [
      { name: 'x', color: '#1234567' },
      {},
      'Invalid subscriptions[0]: Value error, add.color is not a valid hex color code',
    ],
    [{}, {}, 'subscriptions[0]["name"] field is missing: Field required'],
    [{ name: 'x' }, { is_default_stream: true }, 'Insufficient permission'],
    [{ name: 'x' }, { is_web_public: true }, 'Web-public channels are not enabled.'],
    [{ name: 'x' }, { folder_id: 77 }, 'Invalid channel folder ID'],
    [{ name: 'x' }, { can_delete_own_message_group: 4 }, 'Insufficient permission'],
    [{ name: 'x' }, { can_add_subscribers_group: 999 }, 'Invalid user group'],
    [{ name: 'x' }, { topics_policy: 'none' }, 'Invalid topics_policy'],
    [{ name: 'x' }, { invite_only: 'True' }, 'invite_only is not valid JSON'],
  ])('is refused to a member as %o with %o', async (channel, settings, msg) => {
    expectRefusal(await ann.api.post(PATH, { subscriptions: [channel], ...settings }), msg)
    expectRefusal(await realm.owner.api.get('/get_stream_id', { stream: 'x' }), "Invalid channel name 'x'")
  })

  it('cannot be private and default; only owners set its retention', async () => {
    const subscriptions = [{ name: newName() }]
    expectRefusal(
      await admin.api.post(PATH, { subscriptions, invite_only: true, is_default_stream: true }),
      'A default channel cannot be private.',
    )
    expectRefusal(
      await admin.api.post(PATH, { subscriptions, message_retention_days: 3 }),
      'Must be an organization owner',
      { code: 'UNAUTHORIZED_PRINCIPAL' },
    )
    expectRefusal(
      await realm.owner.api.post(PATH, { subscriptions, message_retention_days: 0 }),
      "Bad value for 'message_retention_days': 0",
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'message_retention_days' },
    )
  })
})

describe('a channel that exists', () => {
  it('keeps its settings, whatever parameters for new channels are given', async () => {
    const { id, name } = await buildChannel([ann])
    const subscriptions = [{ name, description: 'd'.repeat(2000) }]
    expectSuccess(
      await ben.api.post(PATH, {
        subscriptions,
        is_web_public: true,
        message_retention_days: 3,
        folder_id: 9,
      }),
    )
    const { stream } = expectSuccess(await ben.api.get(`/streams/${id}`))
    expect(stream).toMatchObject({ description: '', message_retention_days: null, subscriber_count: 2 })
  })

  it('can be joined: the new subscriber gets it, and its subscribers are notified', async () => {
    const { id, name } = await buildChannel([ann])
    const [newMember, peer] = await Promise.all([openQueue(ben), openQueue(ann)])
    const answer = expectSuccess(
      await ben.api.post(PATH, { subscriptions: [{ name: name.toUpperCase(), color: '#ABC' }] }),
    )
    expect(answer.subscribed).toEqual({ [ben.id]: [name] })
    const [added, ...rest] = await newMember.events()
    expect(rest).toEqual([])
    expect(added).toMatchObject({ type: 'subscription', op: 'add' })
    expect(added!.subscriptions[0]).toMatchObject({ stream_id: id, color: '#aabbcc', is_muted: false })
    expect(added!.subscriptions[0]).not.toHaveProperty('subscribers')
    expect(await peer.events()).toMatchObject([
      { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids: [ben.id] },
    ])
    const again = expectSuccess(await ben.api.post(PATH, { subscriptions: [{ name }] }))
    expect(again).toMatchObject({ subscribed: {}, already_subscribed: { [ben.id]: [name] } })
    expect(await peer.events()).toEqual([])
  })

  it('to which others are added notifies them in their language', async () => {
    expectSuccess(await ben.api.patch('/settings', { default_language: 'fr' }))
    const { name } = await buildChannel([ann])
    const queue = await openQueue(ben, { apply_markdown: false })
    expectSuccess(await ann.api.post(PATH, { subscriptions: [{ name }], principals: [ben.email] }))
    const several = [{ name: (await buildChannel([ann])).name }, { name: (await buildChannel([ann])).name }]
    expectSuccess(await ann.api.post(PATH, { subscriptions: several, principals: [ben.email] }))
    const messages = (await queue.eventsOf('message')).map(({ message }) => message.content)
    expect(messages).toEqual([
      `@**Ann|${ann.id}** vous a ajouté au canal #**${name}**.`,
      expect.stringMatching(/vous a ajouté à ces canaux\u00a0:\n\n\* #\*\*.*\n\* #\*\*/),
    ])
    expectSuccess(await ben.api.patch('/settings', { default_language: 'en' }))
  })

  it('to which others are added notifies them who added them', async () => {
    const { name } = await buildChannel([ann])
    const other = await buildChannel([ann])
    const queue = await openQueue(ben)
    const subscriptions = [{ name }, { name: other.name }]
    const answer = expectSuccess(await ann.api.post(PATH, { subscriptions, principals: [ben.email] }))
    expect(answer.new_subscription_messages_sent).toBe(true)
    const events = await queue.events()
    expect(kinds(events)).toEqual(['subscription/add', 'message'])
    expect(events[0]!.subscriptions).toHaveLength(2)
    expect(events[1]).toMatchObject({ message: { type: 'private', sender_full_name: 'Notification Bot' } })
    expect(events[1]!.message.content).toContain('subscribed you to the following channels:</p>\n<ul>')
    await ann.api.delete(PATH, { subscriptions: [name], principals: [ben.id] })
    await queue.events()
    const silently = await ann.api.post(PATH, {
      subscriptions: [{ name }],
      principals: [ben.id],
      send_new_subscription_messages: false,
    })
    expect(expectSuccess(silently)).not.toHaveProperty('new_subscription_messages_sent')
    expect(kinds(await queue.events())).toEqual(['subscription/add'])
  })

  it('that is left and joined again keeps its personal settings', async () => {
    const { id, name } = await buildChannel([ann, ben])
    const subscription_data = [
      { stream_id: id, property: 'color', value: '#112233' },
      { stream_id: id, property: 'pin_to_top', value: true },
    ]
    expectSuccess(await ben.api.post(`${PATH}/properties`, { subscription_data }))
    expectSuccess(await ben.api.delete(PATH, { subscriptions: [name] }))
    const queue = await openQueue(ben)
    expectSuccess(await ben.api.post(PATH, { subscriptions: [{ name, color: '#ffffff' }] }))
    expect((await queue.events())[0]!.subscriptions[0]).toMatchObject({ color: '#112233', pin_to_top: true })
  })

  it('that is private cannot be joined from outside, not even by administrators', async () => {
    const { name } = await buildChannel([ann], { invite_only: true })
    const seen = `Unable to access channel (${name}).`
    for (const [user, refusal] of [
      [ben, 'Channel name is already in use.'],
      [admin, seen],
      [realm.owner, seen],
    ] as const) {
      expectRefusal(await user.api.post(PATH, { subscriptions: [{ name }] }), refusal)
    }
    const open = await buildChannel([ann])
    const answer = expectSuccess(
      await ben.api.post(PATH, {
        subscriptions: [{ name }, { name: open.name }],
        authorization_errors_fatal: false,
      }),
    )
    expect(answer).toMatchObject({ subscribed: { [ben.id]: [open.name] }, unauthorized: [name] })
  })

  it('gets no other users from a caller without the right', async () => {
    const { name } = await buildChannel([admin])
    const mine = await buildChannel([ann])
    const api = realm.owner.api
    expectSuccess(await api.patch('/realm', { can_add_subscribers_group: { new: 3 } }))
    expectRefusal(
      await ann.api.post(PATH, { subscriptions: [{ name }], principals: [ben.id] }),
      'Insufficient permission',
    )
    const partly = await ann.api.post(PATH, {
      subscriptions: [{ name }, { name: mine.name }],
      principals: [ben.id],
      authorization_errors_fatal: false,
    })
    expect(expectSuccess(partly)).toMatchObject({
      subscribed: { [ben.id]: [mine.name] },
      unauthorized: [name],
    })
    expectSuccess(await ann.api.post(PATH, { subscriptions: [{ name: newName() }], principals: [ben.id] }))
    expectSuccess(await api.patch('/realm', { can_add_subscribers_group: { new: 6 } }))
  })
})

describe('principals', () => {
  it('must be known, active, and all ids or all addresses', async () => {
    const { name } = await buildChannel([ann])
    const gone = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    const subscriptions = [{ name }]
    const add = (principals: unknown[]) => ann.api.post(PATH, { subscriptions, principals })
    expectRefusal(await add([9999]), 'No such user')
    expectRefusal(await add(['nobody@example.com']), 'No such user')
    expectRefusal(await add([1]), 'No such user')
    expectRefusal(await add([gone.id]), 'User is deactivated')
    expect((await add([ann.id, ben.email])).status).toBe(400)
    expectSuccess(await add([]))
  })
})

describe('an account that has joined and left without end', () => {
  it('joins nothing more by itself, and still leaves', async () => {
    const channels = [await buildChannel([realm.owner, ann]), await buildChannel([realm.owner])]
    const [own, further] = channels.map(({ name }) => name) as [string, string]
    await changeRealm(realm, (tx) =>
      tx.sql.run(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= ?1)
         INSERT INTO subscription_period SELECT ?2, 100000 + i, i, i, 0, 0 FROM n`,
        ENDED_SUBSCRIPTIONS_OF_ACCOUNT,
        ann.id,
      ),
    )
    const join = (user: TestUser, principals?: readonly number[]) =>
      user.api.post(PATH, { subscriptions: [{ name: further }], ...(principals ? { principals } : {}) })
    expectRefusal(await join(ann), 'One account cannot have more than 50000 ended subscriptions.')
    expectSuccess(await ann.api.delete(PATH, { subscriptions: [own] }))
    expectSuccess(await join(ben))
    expectSuccess(await join(realm.owner, [ann.id, admin.id]))
  })
})

describe('who may not', () => {
  it('guests, deactivated users, other organizations, and callers without an account', async () => {
    const subscriptions = [{ name: newName() }]
    expectRefusal(await guest.api.post(PATH, { subscriptions }), 'Not allowed for guest users')
    expectUnauthorized(await realm.anonymous.post(PATH, { subscriptions }))
    const gone = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    expectRefusal(await gone.api.post(PATH, { subscriptions }), 'Account is deactivated', {
      status: 401,
      code: 'UNAUTHORIZED',
    })
    expectSuccess(await stranger.api.post(PATH, { subscriptions }))
    expectRefusal(
      await realm.owner.api.get('/get_stream_id', { stream: subscriptions[0]!.name }),
      `Invalid channel name '${subscriptions[0]!.name}'`,
    )
  })
})

describe('a new user', () => {
  const { realm: fresh } = useRealm()

  it('gets the newest messages of the default channels, the last twenty unread', async () => {
    const ids: number[] = []
    for (let n = 0; n < 25; n += 1) {
      const sent = await fresh.owner.api.post('/messages', {
        type: 'channel',
        to: n % 2 ? 'general' : 'sandbox',
        topic: 'history',
        content: `message ${n}`,
      })
      ids.push(expectSuccess(sent).id)
    }
    world.clockOffset = 60
    const user = await buildUser(fresh)
    const { unread_msgs } = (await openQueue(user)).snapshot
    const unread = unread_msgs.streams.flatMap(
      (one: { unread_message_ids: number[] }) => one.unread_message_ids,
    )
    expect(unread.sort((a: number, b: number) => a - b)).toEqual(ids.slice(5))
    const { messages } = expectSuccess(
      await user.api.get('/messages', { anchor: ids[5]!, num_before: 1, num_after: 0 }),
    )
    expect(messages.map(({ flags }: { flags: string[] }) => flags)).toEqual([
      ['read', 'historical'],
      ['historical'],
    ])
    const { id } = expectSuccess(
      await fresh.owner.api.post('/messages', { type: 'channel', to: 'general', topic: 'now', content: 'x' }),
    )
    expect(expectSuccess(await user.api.get(`/messages/${id}`)).message.flags).toEqual([])
  })
})
