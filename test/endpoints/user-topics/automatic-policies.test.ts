import { describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)

function setPolicy(user: TestUser, topic: string, visibility_policy: number, stream_id = channel.id) {
  return user.api.post('/user_topics', { stream_id, topic, visibility_policy })
}

async function policyOf(user: TestUser, topic: string): Promise<number | undefined> {
  const { snapshot } = await openQueue(user, { fetch_event_types: ['user_topic'] })
  return snapshot.user_topics.find((one: { topic_name: string }) => one.topic_name === topic)
    ?.visibility_policy
}

async function send(from: TestUser, topic: string, content = 'hello', to = channel.name) {
  return expectSuccess(await from.api.post('/messages', { type: 'channel', to, topic, content }))
}

/**
 * Creates a subscriber who follows and unmutes topics on these occasions: 1 participation, 2 sending, 3 beginning a topic,
 * 4 never.
 */
async function buildFollower(follow: number, unmute: number, isChannelMuted: boolean): Promise<TestUser> {
  const user = await buildUser(realm)
  expectSuccess(await user.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }))
  expectSuccess(
    await user.api.patch('/settings', {
      automatically_follow_topics_policy: follow,
      automatically_unmute_topics_in_muted_streams_policy: unmute,
    }),
  )
  if (isChannelMuted) {
    expectSuccess(
      await user.api.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: channel.id, property: 'is_muted', value: true }],
      }),
    )
  }
  return user
}

describe('automatic topic policies:', () => {
  it('a topic is followed by whoever begins it, and the answer says so', async () => {
    const queue = await openQueue(ann)
    const body = await send(ann, 'begun by Ann')
    expect(body.automatic_new_visibility_policy).toBe(3)
    const types = (await queue.events()).map(({ type }) => type)
    expect(types).toEqual(['message', 'muted_topics', 'user_topic'])
    expect(await policyOf(ann, 'begun by Ann')).toBe(3)
  })

  it('a topic that others began is not followed by sending to it', async () => {
    await send(ann, 'others began it')
    expect(await send(ben, 'Others began it')).not.toHaveProperty('automatic_new_visibility_policy')
    expect(await policyOf(ben, 'others began it')).toBeUndefined()
  })

  it('beginning a topic does not override what was set for it', async () => {
    expectSuccess(await setPolicy(ann, 'muted before', 1))
    expect(await send(ann, 'muted before')).not.toHaveProperty('automatic_new_visibility_policy')
    expect(await policyOf(ann, 'muted before')).toBe(1)
  })

  it('a topic is followed by those whom a message mentions, unless they muted it', async () => {
    await send(ann, 'come here')
    const queue = await openQueue(ben)
    await send(ann, 'come here', 'look, @**Ben**')
    expect(await queue.eventsOf('user_topic')).toMatchObject([{ visibility_policy: 3 }])
    expectSuccess(await setPolicy(ben, 'stay away', 1))
    await send(ann, 'stay away', 'look, @**Ben**')
    expect(await policyOf(ben, 'stay away')).toBe(1)
  })

  it('no topic is followed by a mentioned user who is not subscribed', async () => {
    const cid = await buildUser(realm, { name: 'Cid Outside' })
    await send(ann, 'not his', 'look, @**Cid Outside**')
    expect(await policyOf(cid, 'not his')).toBeUndefined()
  })
})

describe('settings of automatic policies', () => {
  const NONE = undefined
  /**
   * Setting for following, setting for unmuting, is the channel muted → policy after reacting, after sending to somebody
   * else's topic, after beginning one.
   */
  it.each([
    [1, 4, false, 3, 3, 3],
    [2, 4, false, NONE, 3, 3],
    [3, 4, false, NONE, NONE, 3],
    [4, 4, true, NONE, NONE, NONE],
    [4, 1, true, 2, 2, 2],
    [4, 2, true, NONE, 2, 2],
    [4, 3, true, NONE, NONE, 2],
    [4, 1, false, NONE, NONE, NONE],
    [1, 1, true, 3, 3, 3],
    [3, 1, true, 2, 2, 3],
  ])(
    'follow %i, unmute %i, channel muted %s: %s, %s, %s',
    async (follow, unmute, muted, react, reply, begin) => {
      const user = await buildFollower(follow, unmute, muted)
      const name = `${follow} ${unmute} ${muted}`
      const { id } = await send(ann, `reacted ${name}`)
      const queue = await openQueue(user)
      expectSuccess(await user.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
      expect((await queue.eventsOf('user_topic')).map((event) => event['visibility_policy'])).toEqual(
        react === NONE ? [] : [react],
      )
      expect(await policyOf(user, `reacted ${name}`)).toBe(react)
      await send(ann, `replied ${name}`)
      expect((await send(user, `replied ${name}`)).automatic_new_visibility_policy).toBe(reply)
      expect(await policyOf(user, `replied ${name}`)).toBe(reply)
      expect((await send(user, `begun ${name}`)).automatic_new_visibility_policy).toBe(begin)
      expect(await policyOf(user, `begun ${name}`)).toBe(begin)
    },
  )

  it('participation overrides a mute, and unmuting never replaces following', async () => {
    const follower = await buildFollower(1, 4, false)
    expectSuccess(await setPolicy(follower, 'overridden', 1))
    expect((await send(follower, 'overridden')).automatic_new_visibility_policy).toBe(3)
    const unmuter = await buildFollower(4, 1, true)
    expectSuccess(await setPolicy(unmuter, 'followed already', 3))
    expect(await send(unmuter, 'followed already')).not.toHaveProperty('automatic_new_visibility_policy')
    expect(await policyOf(unmuter, 'followed already')).toBe(3)
  })

  it('a disabled setting prevents following where mentioned', async () => {
    const cid = await buildUser(realm, { name: 'Cid Unmoved' })
    expectSuccess(await cid.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }))
    expectSuccess(await cid.api.patch('/settings', { automatically_follow_topics_where_mentioned: false }))
    await send(ann, 'called in vain', '@**Cid Unmoved**')
    expect(await policyOf(cid, 'called in vain')).toBeUndefined()
  })
})

describe('in protected history', () => {
  it('a topic counts as started by a user who sees none of its messages', async () => {
    const secret = await buildChannel([ann], { invite_only: true, history_public_to_subscribers: false })
    await send(ann, 'old talk', 'x', secret.name)
    expectSuccess(
      await ann.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: secret.name }],
        principals: [ben.id],
      }),
    )
    expect((await send(ben, 'old talk', 'y', secret.name)).automatic_new_visibility_policy).toBe(3)
  })
})
