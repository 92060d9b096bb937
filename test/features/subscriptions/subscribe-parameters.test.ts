import { describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member', guest: 'guest' })

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

describe('subscribing', () => {
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
  ])('is refused with a %s user, and creates no channel', async (_which, id, msg) => {
    const name = newName()
    const { status, body } = await subscribe(ann, name, { principals: [await id()] })
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', msg])
    expect((await ann.api.get('/get_stream_id', { stream: name })).status).toBe(400)
  })

  it('fails as a whole where one channel is out of reach', async () => {
    const secret = await buildChannel([ann], { invite_only: true })
    const open = newName()
    const { status, body } = await ben.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: secret.name }, { name: open }],
    })
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'Channel name is already in use.'])
    expect(await channelOf(ben, open)).toBeUndefined()
  })

  it('announces no channel unless that is asked for', async () => {
    const queue = await openQueue(realm.owner)
    expectSuccess(await subscribe(ann, newName()))
    expect(
      (await queue.eventsOf('message')).filter(({ message }) => message.subject === 'new channels'),
    ).toEqual([])
  })

  it('opens the history of a private channel on request, of a public one always', async () => {
    const [shared, open] = [newName(), newName()]
    expectSuccess(await subscribe(ann, shared, { invite_only: true, history_public_to_subscribers: true }))
    expectSuccess(await subscribe(ann, open, { history_public_to_subscribers: false }))
    expect(await channelOf(ann, shared)).toMatchObject({ history_public_to_subscribers: true })
    expect(await channelOf(ann, open)).toMatchObject({ history_public_to_subscribers: true })
  })

  it.each([
    [30, 30],
    ['realm_default', null],
    ['unlimited', -1],
  ])('takes message_retention_days %j', async (given, stored) => {
    const name = newName()
    expectSuccess(await subscribe(realm.owner, name, { message_retention_days: given }))
    expect(await channelOf(realm.owner, name)).toMatchObject({ message_retention_days: stored })
  })

  it('refuses any other message_retention_days', async () => {
    const { body } = await subscribe(realm.owner, newName(), { message_retention_days: 'forever' })
    expect(body).toMatchObject({
      code: 'REQUEST_VARIABLE_INVALID',
      var_name: 'message_retention_days',
      msg: "Bad value for 'message_retention_days': forever",
    })
  })

  it.each(['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'])(
    'takes topics_policy %s',
    async (policy) => {
      const name = newName()
      expectSuccess(await subscribe(ann, name, { topics_policy: policy }))
      expect(await channelOf(ann, name)).toMatchObject({ topics_policy: policy })
    },
  )

  it('makes channels that inherit the policy for topics', async () => {
    const name = newName()
    expectSuccess(await subscribe(ann, name))
    expect(await channelOf(ann, name)).toMatchObject({ topics_policy: 'inherit' })
  })

  it.each([
    'can_add_subscribers_group',
    'can_remove_subscribers_group',
    'can_administer_channel_group',
    'can_move_messages_out_of_channel_group',
    'can_send_message_group',
  ])('takes a group, or people and groups, for %s', async (setting) => {
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
})
