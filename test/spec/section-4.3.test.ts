import { describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann, ben, guest } = useRealm({ ann: 'member', ben: 'member', guest: 'guest' })

let names = 0
function newName(): string {
  names += 1
  return `channel ${names} of 4.3`
}

function subscribe(user: TestUser, name: string, params: Record<string, unknown> = {}) {
  return user.api.post('/users/me/subscriptions', {
    subscriptions: [{ name }],
    ...(params as Record<string, string>),
  })
}

/** Returns the channel as its subscriber gets it. */
async function channelOf(user: TestUser, name: string) {
  const { subscriptions } = expectSuccess(
    await user.api.get('/users/me/subscriptions', { include_subscribers: true }),
  )
  return subscriptions.find((one: { name: string }) => one.name === name)
}

describe('4.3 Subscribe to channels', () => {
  it('a channel that does not exist is created, and the requester subscribed', async () => {
    const name = newName()
    const body = expectSuccess(await subscribe(ann, name))
    expect(body).toMatchObject({ subscribed: { [ann.id]: [name] }, already_subscribed: {} })
    expect(await channelOf(ann, name)).toMatchObject({ creator_id: ann.id, invite_only: false })
  })

  it('subscribing again says so', async () => {
    const name = newName()
    await subscribe(ann, name)
    expect(expectSuccess(await subscribe(ann, name))).toMatchObject({
      subscribed: {},
      already_subscribed: { [ann.id]: [name] },
    })
  })

  it('subscriptions: description is Markdown, for new channels only', async () => {
    const name = newName()
    expectSuccess(
      await ann.api.post('/users/me/subscriptions', {
        subscriptions: [{ name, description: 'some *stress*' }],
      }),
    )
    expectSuccess(
      await ben.api.post('/users/me/subscriptions', { subscriptions: [{ name, description: 'another' }] }),
    )
    expect(await channelOf(ann, name)).toMatchObject({
      description: 'some *stress*',
      rendered_description: '<p>some <em>stress</em></p>',
    })
  })

  it('subscriptions: a name over the limit, an empty one and an unprintable one are refused', async () => {
    for (const [name, msg] of [
      ['x'.repeat(61), 'Channel name too long (limit: 60 characters).'],
      ['  ', "Channel name can't be empty."],
      ['a\u0007b', 'Invalid character in channel name, at position 2.'],
    ] as const) {
      expect((await subscribe(ann, name)).body).toMatchObject({ code: 'BAD_REQUEST', msg })
    }
  })

  it('subscriptions: a description over the limit is refused', async () => {
    const { status, body } = await ann.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: newName(), description: 'd'.repeat(1_025) }],
    })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it('principals: by user id', async () => {
    const name = newName()
    expect(expectSuccess(await subscribe(ann, name, { principals: [ben.id, ann.id] })).subscribed).toEqual({
      [ben.id]: [name],
      [ann.id]: [name],
    })
  })

  it('principals: by API email', async () => {
    const name = newName()
    expect(expectSuccess(await subscribe(ann, name, { principals: [ben.email] })).subscribed).toEqual({
      [ben.id]: [name],
    })
  })

  it.each([
    ['nonexistent', () => Promise.resolve(987_654), 'No such user'],
    [
      'deactivated',
      async () => {
        const dan = await buildUser(realm)
        expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
        return dan.id
      },
      'User is deactivated',
    ],
  ])('principals: a %s one is BAD_REQUEST with HTTP 400, and no channel is made', async (_which, id, msg) => {
    const name = newName()
    const { status, body } = await subscribe(ann, name, { principals: [await id()] })
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', msg])
    expect((await ann.api.get('/get_stream_id', { stream: name })).status).toBe(400)
  })

  it('authorization_errors_fatal true: one channel without access fails them all', async () => {
    const secret = await buildChannel([ann], { invite_only: true })
    const open = newName()
    const { status, body } = await ben.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: secret.name }, { name: open }],
    })
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'Channel name is already in use.'])
    expect(await channelOf(ben, open)).toBeUndefined()
  })

  it('authorization_errors_fatal false: 200, such channels are listed under unauthorized, the rest is done', async () => {
    const secret = await buildChannel([ann], { invite_only: true })
    const open = newName()
    const body = expectSuccess(
      await ben.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: secret.name }, { name: open }],
        authorization_errors_fatal: false,
      }),
    )
    expect(body).toMatchObject({ unauthorized: [secret.name], subscribed: { [ben.id]: [open] } })
    expect(await channelOf(ben, secret.name)).toBeUndefined()
  })

  it('announce: the notification bot announces a new channel', async () => {
    const queue = await openQueue(realm.owner)
    const name = newName()
    expectSuccess(await subscribe(ann, name, { announce: true }))
    const announced = (await queue.eventsOf('message')).filter(
      ({ message }) => message.subject === 'new channels',
    )
    expect(announced).toHaveLength(1)
    expect(announced[0]?.message).toMatchObject({ sender_full_name: 'Notification Bot' })
    expect(announced[0]?.message.content).toContain(name)
  })

  it('announce: not unless asked for', async () => {
    const queue = await openQueue(realm.owner)
    expectSuccess(await subscribe(ann, newName()))
    expect(
      (await queue.eventsOf('message')).filter(({ message }) => message.subject === 'new channels'),
    ).toEqual([])
  })

  it('invite_only: a private channel, which others do not see', async () => {
    const name = newName()
    expectSuccess(await subscribe(ann, name, { invite_only: true }))
    expect(await channelOf(ann, name)).toMatchObject({
      invite_only: true,
      history_public_to_subscribers: false,
    })
    expect((await ben.api.get('/get_stream_id', { stream: name })).body.msg).toBe(
      `Invalid channel name '${name}'`,
    )
  })

  it('history_public_to_subscribers: chosen for a private channel, always true for a public one', async () => {
    const [shared, open] = [newName(), newName()]
    expectSuccess(await subscribe(ann, shared, { invite_only: true, history_public_to_subscribers: true }))
    expectSuccess(await subscribe(ann, open, { history_public_to_subscribers: false }))
    expect(await channelOf(ann, shared)).toMatchObject({ history_public_to_subscribers: true })
    expect(await channelOf(ann, open)).toMatchObject({ history_public_to_subscribers: true })
  })

  it('is_web_public needs the server’s and the organization’s setting', async () => {
    const { status, body } = await subscribe(realm.owner, newName(), { is_web_public: true })
    expect([status, body.msg]).toEqual([400, 'Web-public channels are not enabled.'])
  })

  it('is_default_stream: by administrators, and new users are in it', async () => {
    const name = newName()
    expect((await subscribe(ann, newName(), { is_default_stream: true })).body.msg).toBe(
      'Insufficient permission',
    )
    expectSuccess(await subscribe(realm.owner, name, { is_default_stream: true }))
    const newcomer = await buildUser(realm)
    expect(await channelOf(newcomer, name)).toBeDefined()
  })

  it.each([
    [30, 30],
    ['realm_default', null],
    ['unlimited', -1],
  ])('message_retention_days: %j', async (given, stored) => {
    const name = newName()
    expectSuccess(await subscribe(realm.owner, name, { message_retention_days: given }))
    expect(await channelOf(realm.owner, name)).toMatchObject({ message_retention_days: stored })
  })

  it('message_retention_days: anything else is refused', async () => {
    const { body } = await subscribe(realm.owner, newName(), { message_retention_days: 'forever' })
    expect(body).toMatchObject({
      code: 'REQUEST_VARIABLE_INVALID',
      var_name: 'message_retention_days',
      msg: "Bad value for 'message_retention_days': forever",
    })
  })

  it.each(['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'])(
    'topics_policy: %s',
    async (policy) => {
      const name = newName()
      expectSuccess(await subscribe(ann, name, { topics_policy: policy }))
      expect(await channelOf(ann, name)).toMatchObject({ topics_policy: policy })
    },
  )

  it('topics_policy: inherit is the default', async () => {
    const name = newName()
    expectSuccess(await subscribe(ann, name))
    expect(await channelOf(ann, name)).toMatchObject({ topics_policy: 'inherit' })
  })

  it('topics_policy empty_topic_only: the first notice goes to the empty topic', async () => {
    const name = newName()
    const queue = await openQueue(ann)
    expectSuccess(await subscribe(ann, name, { topics_policy: 'empty_topic_only' }))
    expect((await queue.eventsOf('message')).map(({ message }) => message.subject)).toEqual([''])
  })

  it.each([
    'can_add_subscribers_group',
    'can_remove_subscribers_group',
    'can_administer_channel_group',
    'can_move_messages_out_of_channel_group',
    'can_send_message_group',
  ])('%s takes both forms of a group-setting value', async (setting) => {
    const [byGroup, byMembers] = [newName(), newName()]
    expectSuccess(await subscribe(ann, byGroup, { [setting]: 4 }))
    expectSuccess(
      await subscribe(ann, byMembers, { [setting]: { direct_members: [ben.id], direct_subgroups: [] } }),
    )
    expect((await channelOf(ann, byGroup))[setting]).toBe(4)
    expect((await channelOf(ann, byMembers))[setting]).toEqual({
      direct_members: [ben.id],
      direct_subgroups: [],
    })
  })

  it('creation settings are ignored for an existing channel, not even checked', async () => {
    const name = newName()
    expectSuccess(await subscribe(ann, name))
    const body = expectSuccess(
      await subscribe(ben, name, {
        invite_only: true,
        is_default_stream: true,
        message_retention_days: 'forever',
        can_send_message_group: 987_654,
      }),
    )
    expect(body).not.toHaveProperty('ignored_parameters_unsupported')
    expect(await channelOf(ann, name)).toMatchObject({ invite_only: false, can_send_message_group: 7 })
  })

  it('2.7 a guest may not subscribe', async () => {
    expect((await subscribe(guest, newName())).body.msg).toBe('Not allowed for guest users')
  })
})
