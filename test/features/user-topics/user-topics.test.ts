import { describe, expect, it } from 'vitest'
import { countRows } from '../../support/counted-rows.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { changeRealm } from '../../support/inside.ts'
import type { Json } from '../../support/json.ts'
import { sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)
/** The owner of another organization. */
const { owner: stranger } = useRealm()

function setPolicy(user: TestUser, topic: string, visibility_policy: number, stream_id = channel.id) {
  return user.api.post('/user_topics', { stream_id, topic, visibility_policy })
}

async function snapshot(user: TestUser, params: object = {}): Promise<Json> {
  return (await openQueue(user, { fetch_event_types: ['user_topic', 'muted_topics'], ...params })).snapshot
}

async function policyOf(user: TestUser, topic: string): Promise<number | undefined> {
  const { user_topics } = await snapshot(user)
  return user_topics.find((one: { topic_name: string }) => one.topic_name === topic)?.visibility_policy
}

async function send(from: TestUser, topic: string, content = 'hello', to = channel.name) {
  return expectSuccess(await from.api.post('/messages', { type: 'channel', to, topic, content }))
}

describe('a policy for a topic', () => {
  it.each([1, 2, 3])('%i is stored, and sent to the user’s clients only', async (policy) => {
    const [anns, bens] = [await openQueue(ann), await openQueue(ben)]
    expectSuccess(await setPolicy(ann, `kept ${policy}`, policy))
    const events = await anns.events()
    expect(events.map(({ type }) => type)).toEqual(['muted_topics', 'user_topic'])
    expect(events[1]).toMatchObject({
      stream_id: channel.id,
      topic_name: `kept ${policy}`,
      visibility_policy: policy,
      last_updated: expect.any(Number),
    })
    expect(await bens.events()).toEqual([])
    expect(await policyOf(ann, `kept ${policy}`)).toBe(policy)
    expect(await policyOf(ben, `kept ${policy}`)).toBeUndefined()
  })

  it('of 0 removes the preference', async () => {
    expectSuccess(await setPolicy(ann, 'taken off', 1))
    const queue = await openQueue(ann)
    expectSuccess(await setPolicy(ann, 'taken off', 0))
    const [event] = await queue.eventsOf('user_topic')
    expect(event).toMatchObject({ topic_name: 'taken off', visibility_policy: 0 })
    expect(await policyOf(ann, 'taken off')).toBeUndefined()
  })

  it('set again, or removed when missing, succeeds without events', async () => {
    expectSuccess(await setPolicy(ann, 'again', 3))
    const queue = await openQueue(ann)
    expectSuccess(await setPolicy(ann, 'AGAIN', 3))
    expectSuccess(await setPolicy(ann, 'never set', 0))
    expect(await queue.events()).toEqual([])
  })

  it('applies whatever the case of the topic', async () => {
    expectSuccess(await setPolicy(ann, 'Case', 1))
    expectSuccess(await setPolicy(ann, 'cASE', 2))
    const { user_topics } = await snapshot(ann)
    const found = user_topics.filter((one: { topic_name: string }) => one.topic_name.toLowerCase() === 'case')
    expect(found).toMatchObject([{ topic_name: 'cASE', visibility_policy: 2 }])
  })

  it('for the empty topic accepts its display name, and is sent by capability', async () => {
    const [modern, old] = [
      await openQueue(ann),
      await openQueue(ann, { client_capabilities: { notification_settings_null: true } }),
    ]
    expectSuccess(await setPolicy(ann, 'general chat', 1))
    expect((await modern.eventsOf('user_topic'))[0]).toMatchObject({ topic_name: '' })
    const [mutedTopics, userTopic] = await old.events()
    expect(userTopic).toMatchObject({ topic_name: 'general chat' })
    expect(mutedTopics!['muted_topics']).toContainEqual([channel.name, 'general chat', expect.any(Number)])
    expectSuccess(await setPolicy(ann, '', 0))
  })

  it('of muting is in the older list for older clients', async () => {
    const [old, modern] = [
      await openQueue(ben, { event_types: ['muted_topics'] }),
      await openQueue(ben, { event_types: ['muted_topics', 'user_topic'] }),
    ]
    expectSuccess(await setPolicy(ben, 'quiet', 1))
    expect(await old.events()).toMatchObject([{ type: 'muted_topics' }])
    expect((await modern.events()).map(({ type }) => type)).toEqual(['user_topic'])
    expect((await snapshot(ben)).muted_topics).toEqual([[channel.name, 'quiet', expect.any(Number)]])
    expect(await snapshot(ben, { event_types: ['user_topic'] })).not.toHaveProperty('muted_topics')
  })

  it('belongs to a channel and a topic', async () => {
    const other = await buildChannel([ann])
    for (const [stream_id, policy] of [
      [channel.id, 1],
      [other.id, 3],
    ]) {
      const params = { stream_id: stream_id!, topic: 'same', visibility_policy: policy! }
      expectSuccess(await ann.api.post('/user_topics', params))
    }
    const { snapshot } = await openQueue(ann, { fetch_event_types: ['user_topic'] })
    const rows: { topic_name: string }[] = snapshot.user_topics
    expect(rows.filter(({ topic_name }) => topic_name === 'same')).toEqual([
      expect.objectContaining({ stream_id: channel.id, topic_name: 'same', visibility_policy: 1 }),
      expect.objectContaining({ stream_id: other.id, topic_name: 'same', visibility_policy: 3 }),
    ])
  })

  it.each([0, 1, 2, 3])('of 0 removes policy %i', async (before) => {
    const topic = `from ${before}`
    await setPolicy(ann, topic, before)
    await setPolicy(ann, topic, 0)
    expect(await policyOf(ann, topic)).toBeUndefined()
  })

  it.each([0, 1, 2, 3])('of 1 replaces policy %i', async (before) => {
    const topic = `to mute, from ${before}`
    await setPolicy(ann, topic, before)
    await setPolicy(ann, topic, 1)
    expect(await policyOf(ann, topic)).toBe(1)
  })

  it('of 2 shows a topic of a muted channel', async () => {
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
})

it('setting a policy reads all others only for older clients, each channel once', async () => {
  const cat = await buildUser(realm)
  await changeRealm(realm, ({ sql }) =>
    sql.run(
      `WITH RECURSIVE number(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 299)
       INSERT INTO user_topic (user_id, channel_id, name, name_key, policy, updated_at)
       SELECT ?1, ?2, 'muted ' || n, 'muted ' || n, 1, 1 FROM number`,
      cat.id,
      channel.id,
    ),
  )
  const rowsOf = async (topic: string) => {
    const params = { stream_id: channel.id, topic, visibility_policy: 1 }
    return (await countRows(cat.api, 'POST', '/user_topics', params)).object.read
  }
  await openQueue(cat, { event_types: ['user_topic', 'message'] })
  // The quota counts these rows twice.
  expect(await rowsOf('first')).toBeLessThan(660)
  const old = await openQueue(cat, { event_types: ['muted_topics'] })
  // The older event adds one row for each topic; the channel of all is looked up once.
  expect(await rowsOf('second')).toBeLessThan(970)
  const [{ muted_topics } = { muted_topics: [] }] = await old.eventsOf('muted_topics')
  expect(muted_topics).toHaveLength(302)
})

describe('unread messages', () => {
  async function unread(user: TestUser) {
    const { snapshot } = await openQueue(user, { fetch_event_types: ['message', 'update_message_flags'] })
    return snapshot.unread_msgs
  }

  it('of a muted topic are listed but not counted', async () => {
    const cid = await buildUser(realm)
    const loud = await buildChannel([ann, cid])
    const { id } = await send(ann, 'noise', 'x', loud.name)
    const before = (await unread(cid)).count
    expectSuccess(await setPolicy(cid, 'Noise', 1, loud.id))
    const { count, streams } = await unread(cid)
    expect(count).toBe(before - 1)
    expect(streams).toContainEqual({ stream_id: loud.id, topic: 'noise', unread_message_ids: [id] })
  })

  it('of a followed topic count in a muted channel', async () => {
    const cid = await buildUser(realm)
    const loud = await buildChannel([ann, cid])
    await send(ann, 'one', 'x', loud.name)
    await send(ann, 'two', 'x', loud.name)
    const before = (await unread(cid)).count
    expectSuccess(
      await cid.api.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: loud.id, property: 'is_muted', value: true }],
      }),
    )
    const muted = (await unread(cid)).count
    expectSuccess(await setPolicy(cid, 'two', 3, loud.id))
    expect((await unread(cid)).count).toBe(muted + 1)
    expect(muted).toBeLessThan(before)
  })

  it('that are marked unread are sent with their topic’s mute', async () => {
    const { id } = await send(ann, 'hush')
    expectSuccess(await setPolicy(ben, 'hush', 1))
    expectSuccess(await ben.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }))
    const queue = await openQueue(ben)
    expectSuccess(await ben.api.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' }))
    const [event] = await queue.eventsOf('update_message_flags')
    expect(event!['message_details'][id]).toMatchObject({ unmuted_stream_msg: false })
  })
})

describe('a channel that the caller cannot read', () => {
  it('is refused for every policy but 0', async () => {
    const secret = await buildChannel([ann], { invite_only: true })
    const guest = await buildUser(realm, { role: 600 })
    for (const policy of [1, 2, 3]) {
      const { status, body } = await setPolicy(ben, 'x', policy, secret.id)
      expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'Invalid channel ID'])
      expect((await setPolicy(guest, 'x', policy)).body.msg).toBe('Invalid channel ID')
    }
    expectSuccess(await setPolicy(ben, 'x', 0, secret.id))
  })

  it('is refused like one that does not exist', async () => {
    expect((await setPolicy(ben, 'x', 0, 999_999)).body.msg).toBe('Invalid channel ID')
    const { id } = await buildChannel([stranger], { name: 'far away' })
    expect((await setPolicy(ben, 'x', 0, id + 1_000)).body.msg).toBe('Invalid channel ID')
  })

  it('does not include public ones, which need no subscription', async () => {
    const open = await buildChannel([ann])
    expectSuccess(await setPolicy(ben, 'x', 3, open.id))
  })
})

describe('refused parameters', () => {
  it('a policy that is none of the four', async () => {
    const { status, body } = await setPolicy(ann, 'x', 4)
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'Invalid visibility_policy'])
  })

  it('a topic of more than 60 characters, counted as people do', async () => {
    expect((await setPolicy(ann, 'x'.repeat(61), 1)).body.msg).toBe(
      'topic is too long (limit: 60 characters)',
    )
    expectSuccess(await setPolicy(ann, '🎉'.repeat(60), 1))
  })

  it('those without credentials', async () => {
    const params = { stream_id: channel.id, topic: 'x', visibility_policy: 1 }
    expect((await realm.anonymous.post('/user_topics', params)).status).toBe(401)
  })
})

describe('the older way to mute', () => {
  function mute(user: TestUser, params: Record<string, string | number>) {
    return user.api.patch('/users/me/subscriptions/muted_topics', params)
  }

  it('accepts the channel’s name or id', async () => {
    const queue = await openQueue(ben)
    expectSuccess(await mute(ben, { stream: channel.name, topic: 'old way', op: 'add' }))
    expect(await policyOf(ben, 'old way')).toBe(1)
    expectSuccess(await mute(ben, { stream_id: channel.id, topic: 'old way', op: 'remove' }))
    expect(await policyOf(ben, 'old way')).toBeUndefined()
    expect(await queue.eventsOf('user_topic')).toMatchObject([
      { visibility_policy: 1 },
      { visibility_policy: 0 },
    ])
  })

  it('refuses to remove a mute that does not exist', async () => {
    const { body } = await mute(ben, { stream_id: channel.id, topic: 'not muted', op: 'remove' })
    expect(body.msg).toBe('Topic is not muted')
    expectSuccess(await setPolicy(ben, 'followed one', 3))
    const { body: other } = await mute(ben, { stream_id: channel.id, topic: 'followed one', op: 'remove' })
    expect(other.msg).toBe('Topic is not muted')
  })

  it('needs exactly one channel, and one the caller can read', async () => {
    expect((await mute(ben, { topic: 'x', op: 'add' })).body.msg).toBe("Missing 'stream_id' argument")
    const both = await mute(ben, { stream: channel.name, stream_id: channel.id, topic: 'x', op: 'add' })
    expect(both.body.msg).toBe('Unsupported parameter combination: stream_id, stream')
    const secret = await buildChannel([ann], { invite_only: true })
    expect((await mute(ben, { stream: secret.name, topic: 'x', op: 'add' })).body.msg).toBe(
      `Invalid channel name '${secret.name}'`,
    )
    expect((await mute(ben, { stream_id: channel.id, topic: 'x', op: 'toggle' })).body.msg).toBe('Invalid op')
  })
})
