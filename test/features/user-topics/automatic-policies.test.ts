import { describe, expect, it } from 'vitest'
import { countRows } from '../../support/counted-rows.ts'
import { buildChannel, buildUser, expectSuccess, reopen, type TestUser } from '../../support/factories.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { changeRealm, insertUsers } from '../../support/inside.ts'
import { CHANGES_OF_COMMIT, QUOTAS } from '../../support/limits.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

/** docs/interface/subscriptions.md#topics. */
const TOPIC_POLICY = { muted: 1, unmuted: 2, followed: 3 } as const

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
  it('the sender of a topic’s first message follows it, as the answer says', async () => {
    const queue = await openQueue(ann)
    const body = await send(ann, 'begun by Ann')
    expect(body.automatic_new_visibility_policy).toBe(3)
    const types = (await queue.events()).map(({ type }) => type)
    expect(types).toEqual(['message', 'muted_topics', 'user_topic'])
    expect(await policyOf(ann, 'begun by Ann')).toBe(3)
  })

  it.each([
    ['the client’s own id', () => ({ local_id: '1.01', queue_id: 'a' }), () => ({})],
    ['Idempotency-Key', () => ({}), () => ({ 'Idempotency-Key': crypto.randomUUID() })],
  ])('a repeated send says again what it set: %s', async (name, named, headersOf) => {
    for (const [follow, unmute, policy] of [
      [3, 4, 3],
      [4, 2, 2],
      [4, 4, undefined],
    ] as const) {
      const user = await buildFollower(follow, unmute, true)
      const topic = `${name} ${policy}`
      const params = { type: 'channel', to: channel.id, topic, content: 'once', ...named() }
      const headers = headersOf()
      const post = () => user.api.request('POST', '/messages', params, { headers })
      const first = expectSuccess(await post())
      expect(first.automatic_new_visibility_policy).toBe(policy)
      expectSuccess(await setPolicy(user, topic, TOPIC_POLICY.muted))
      expect(expectSuccess(await post())).toEqual(first)
      expect(await policyOf(user, topic)).toBe(TOPIC_POLICY.muted)
    }
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
   * Setting for following, setting for unmuting, is the channel muted → policy after reacting, after sending to a user
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

describe('a message that mentions many', () => {
  const mentionAll = (users: readonly TestUser[]) => users.map(({ id }) => `@**|${id}**`).join(' ')
  const followsIn = (user: TestUser, topic: string) =>
    changeRealm(realm, ({ sql }) =>
      sql.first<{ policy: number; name: string }>(
        `SELECT policy, name FROM user_topic WHERE user_id = ? AND name_key = ?`,
        user.id,
        topic,
      ),
    )

  it('is followed by each as their own policy, settings and quota say', async () => {
    const hall = await buildChannel([ann])
    const users = await insertUsers(realm, 30, hall.id)
    const [muted, unmuted, followed, full, fullUnmuted, unwilling, gone, plain] = users as [
      TestUser,
      TestUser,
      TestUser,
      TestUser,
      TestUser,
      TestUser,
      TestUser,
      TestUser,
    ]
    await changeRealm(realm, ({ sql }) => {
      const put = (user: TestUser, policy: 1 | 2 | 3, name = 'Party') =>
        sql.run(
          `INSERT INTO user_topic (user_id, channel_id, name, name_key, policy, updated_at)
           VALUES (?1, ?2, ?3, lower(?3), ?4, 1)`,
          user.id,
          hall.id,
          name,
          policy,
        )
      put(muted, TOPIC_POLICY.muted)
      put(unmuted, TOPIC_POLICY.unmuted)
      put(followed, TOPIC_POLICY.followed)
      put(fullUnmuted, TOPIC_POLICY.unmuted)
      for (const [user, count] of [
        [full, QUOTAS.topicSettings.account],
        [fullUnmuted, QUOTAS.topicSettings.account - 1],
        [plain, QUOTAS.topicSettings.account - 1],
      ] as const) {
        sql.run(
          `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?3)
           INSERT INTO user_topic SELECT ?1, ?2, 't' || n, 't' || n, 3, 0 FROM number`,
          user.id,
          hall.id,
          count,
        )
      }
    })
    expectSuccess(
      await unwilling.api.patch('/settings', { automatically_follow_topics_where_mentioned: false }),
    )
    expectSuccess(await gone.api.delete('/users/me/subscriptions', { subscriptions: [hall.name] }))
    const queues = await Promise.all(
      users.map((user) => openQueue(user, { event_types: ['user_topic', 'message'] })),
    )
    await send(ann, 'party', mentionAll(users), hall.name)

    const policies = await Promise.all(users.map((user) => followsIn(user, 'party')))
    const [MUTED, FOLLOWED] = [
      { policy: 1, name: 'Party' },
      { policy: 3, name: 'party' },
    ]
    expect(policies).toEqual([
      MUTED,
      FOLLOWED,
      { policy: 3, name: 'Party' },
      undefined,
      FOLLOWED,
      undefined,
      undefined,
      ...users.slice(7).map(() => FOLLOWED),
    ])
    const events = await Promise.all(queues.map((queue) => queue.eventsOf('user_topic')))
    const heard = events.map((own) =>
      own.map(({ topic_name, visibility_policy }) => [topic_name, visibility_policy]),
    )
    expect(heard).toEqual(
      policies.map((policy, at) => (policy?.name === 'party' && at !== 2 ? [['party', 3]] : [])),
    )
  })

  it('is followed by no more than the organization has room for', async () => {
    const hall = await buildChannel([ann])
    const users = await insertUsers(realm, 12, hall.id)
    const setCount = (count: number) =>
      changeRealm(realm, ({ sql }) =>
        sql.runForFirst<{ count: number }>(
          `UPDATE quota_use SET count = ? WHERE kind = 'topicSettings' AND account_id = 0 RETURNING count`,
          count,
        ),
      )
    await send(ann, 'crowded', 'hello', hall.name)
    expect(await setCount(QUOTAS.topicSettings.organization - 5)).toBeDefined()
    await send(ann, 'crowded', mentionAll(users), hall.name)
    await setCount(100)
    const policies = await Promise.all(users.map((user) => followsIn(user, 'crowded')))
    expect(policies.filter((policy) => policy !== undefined)).toHaveLength(5)
  })

  it('is followed without reading the other topics of those who are mentioned', async () => {
    const hall = await buildChannel([ann])
    const users = await insertUsers(realm, 12, hall.id)
    const message = { type: 'channel', to: hall.name, topic: 'busy', content: mentionAll(users) }
    expectSuccess(await ann.api.post('/messages', message))
    const few = await countRows(ann.api, 'POST', '/messages', { ...message, topic: 'few' })
    await changeRealm(realm, ({ sql }) => {
      for (const { id } of users) {
        sql.run(
          `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 500)
           INSERT INTO user_topic SELECT ?1, ?2, 'n' || n, 'n' || n, 3, 0 FROM number`,
          id,
          hall.id,
        )
      }
    })
    const many = await countRows(ann.api, 'POST', '/messages', { ...message, topic: 'many' })
    expect(many.object.read).toBeLessThan(few.object.read + 100)
    expect(await followsIn(users[0]!, 'many')).toBeDefined()
  })

  it('reaches older clients with the topics that each has muted', async () => {
    const hall = await buildChannel([ann])
    const users = await insertUsers(realm, 12, hall.id)
    expectSuccess(await setPolicy(users[3]!, 'noise', 1, hall.id))
    const queues = await Promise.all(users.map((user) => openQueue(user)))
    await send(ann, 'all together', mentionAll(users), hall.name)
    for (const [at, queue] of queues.entries()) {
      const events = (await queue.events()).filter(({ type }) => type !== 'message')
      expect(events).toMatchObject([
        {
          type: 'muted_topics',
          muted_topics: at === 3 ? [[hall.name, 'noise', expect.any(Number)]] : [],
        },
        { type: 'user_topic', topic_name: 'all together', visibility_policy: 3 },
      ])
    }
  })
})

describe('a message that a move makes the first of a topic', () => {
  const move = async (id: number, params: Record<string, number | string>) =>
    expectSuccess(await realm.owner.api.patch(`/messages/${id}`, params))
  const mute = async (user: TestUser, stream_id: number) =>
    expectSuccess(
      await user.api.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id, property: 'is_muted', value: true }],
      }),
    )

  /** Setting for following, for unmuting, is the channel muted → policy of the author of the moved message. */
  it.each([
    [1, 4, false, 3],
    [2, 4, false, 3],
    [3, 4, false, 3],
    [4, 4, true, undefined],
    [4, 1, true, 2],
    [4, 3, true, 2],
    [4, 3, false, undefined],
    [3, 1, true, 3],
  ])(
    'is as one that begins it: follow %i, unmute %i, muted %s: %s',
    async (follow, unmute, muted, policy) => {
      const user = await buildFollower(4, 4, muted)
      const name = `${follow} ${unmute} ${muted}`
      await send(ann, `whole ${name}`)
      const { id } = await send(user, `whole ${name}`)
      const { id: later } = await send(ben, `whole ${name}`)
      expectSuccess(
        await user.api.patch('/settings', {
          automatically_follow_topics_policy: follow,
          automatically_unmute_topics_in_muted_streams_policy: unmute,
        }),
      )
      const queue = await openQueue(user)
      await move(id, { topic: `split ${name}`, propagate_mode: 'change_later' })
      expect(await policyOf(user, `split ${name}`)).toBe(policy)
      expect(await policyOf(user, `whole ${name}`)).toBeUndefined()
      const types = (await queue.events()).map(({ type }) => type)
      const changes = policy === undefined ? [] : ['muted_topics', 'user_topic']
      expect(types).toEqual(['update_message', ...changes, 'message'])
      // The author of a later message neither began the topic nor was anything set for it.
      expect(await policyOf(ben, `split ${name}`)).toBeUndefined()
      await move(later, { topic: `single ${name}`, propagate_mode: 'change_one' })
      expect(await policyOf(ben, `single ${name}`)).toBe(3)
    },
  )

  it('in another channel is followed or unmuted there, unless its author cannot read it', async () => {
    const [open, closed] = [
      await buildChannel([realm.owner, ann]),
      await buildChannel([realm.owner, ann], { invite_only: true }),
    ]
    await send(ann, 'misplaced')
    const first = await send(ben, 'misplaced', 'to the open one')
    const second = await send(ben, 'misplaced', 'to the closed one')
    await move(first.id, { stream_id: open.id, propagate_mode: 'change_one' })
    expect(await policyOf(ben, 'misplaced')).toBe(3)
    expectSuccess(await setPolicy(ben, 'misplaced', 0, open.id))
    await move(second.id, { stream_id: closed.id, propagate_mode: 'change_one' })
    expect(await policyOf(ben, 'misplaced')).toBeUndefined()
  })

  it('of a whole topic that moves to a muted channel is unmuted, not followed again', async () => {
    const muting = await buildFollower(3, 3, false)
    const there = await buildChannel([realm.owner, ann, muting])
    await mute(muting, there.id)
    const { id } = await send(muting, 'moving house')
    expectSuccess(await setPolicy(muting, 'moving house', 0))
    await move(id, { stream_id: there.id, propagate_mode: 'change_all' })
    expect(await policyOf(muting, 'moving house')).toBeUndefined()
    expectSuccess(await muting.api.patch('/settings', { automatically_follow_topics_policy: 4 }))
    await move(id, { stream_id: channel.id, propagate_mode: 'change_all' })
    await move(id, { stream_id: there.id, propagate_mode: 'change_all' })
    expect(await policyOf(muting, 'moving house')).toBe(TOPIC_POLICY.unmuted)
  })

  it('changes nothing where the topic is only renamed, resolved or had messages', async () => {
    const { id } = await send(ann, 'old name')
    expectSuccess(await setPolicy(ann, 'old name', 0))
    await move(id, { topic: 'new name', propagate_mode: 'change_all' })
    await move(id, { topic: '✔ new name', propagate_mode: 'change_all' })
    await move(id, { topic: '✔ New name', propagate_mode: 'change_one' })
    await send(ben, 'known topic')
    const { id: second } = await send(ann, '✔ New name', 'again')
    await move(second, { topic: 'known topic', propagate_mode: 'change_one' })
    for (const topic of ['new name', '✔ new name', '✔ New name', 'known topic']) {
      expect(await policyOf(ann, topic)).toBeUndefined()
    }
  })

  it('by a bot or a closed account changes nothing', async () => {
    const gone = await buildFollower(1, 4, false)
    await send(ann, 'left behind')
    const { id } = await send(gone, 'left behind')
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    await move(id, { topic: 'by nobody' })
    const back = await reopen(realm, gone)
    expect(await policyOf(back, 'by nobody')).toBeUndefined()
  })

  it('is the oldest of a move in several parts, whoever else wrote the others', async () => {
    const hall = await buildChannel([realm.owner, ann, ben])
    await send(ann, 'long talk', 'first', hall.name)
    const { id } = await send(ben, 'long talk', 'second', hall.name)
    await insertInIndex(realm, ann, { channelId: hall.id, topic: 'long talk', count: 2 * CHANGES_OF_COMMIT })
    await move(id, { topic: 'long split', propagate_mode: 'change_later' })
    expect(await policyOf(ben, 'long split')).toBe(3)
    expect(await policyOf(ann, 'long split')).toBeUndefined()
  })
})
