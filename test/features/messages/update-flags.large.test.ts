import { beforeAll, describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { countRows } from '../../support/counted-rows.ts'
import { expectSuccess } from '../../support/factories.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { ENTRIES_AT_ONCE, ROWS_OF_SLICE } from '../../support/limits.ts'
import { openQueue } from '../../support/queues.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'

describe('a flag on more messages than fit into one commit', () => {
  const COUNT = ENTRIES_AT_ONCE + 1_000
  const { realm, ann, channel } = useRealm({ ann: 'member' }, { channels: { channel: ['owner', 'ann'] } })
  let ids: number[]
  beforeAll(async () => {
    expectSuccess(await ann.api.post('/mark_all_as_read'))
    const entered = { channelId: channel.id, topic: 'long', count: COUNT }
    const first = await insertInIndex(realm, realm.owner, entered)
    ids = Array.from({ length: COUNT }, (_, at) => first + at)
  })
  const openFlags = () => openQueue(ann, { event_types: ['update_message_flags'] })
  const flag = (op: string, name: string, messages = ids) =>
    ann.api.post('/messages/flags', { messages, op, flag: name })
  /** Returns the ids in each event about flags. */
  const flagEvents = async (queue: Awaited<ReturnType<typeof openFlags>>) =>
    (await queue.eventsOf('update_message_flags')).map(({ messages }) => messages as number[])
  const unread = async () =>
    (
      await openQueue(ann, { fetch_event_types: ['message', 'update_message_flags'] })
    ).snapshot.unread_msgs.streams.flatMap((one: { unread_message_ids: number[] }) => one.unread_message_ids)

  it('is set in several commits, each with its event, and one answer', async () => {
    for (const [op, name] of [
      ['add', 'starred'],
      ['add', 'read'],
      ['remove', 'read'],
    ] as const) {
      const queue = await openFlags()
      const answer = expectSuccess(await flag(op, name))
      expect(answer.messages).toEqual(ids)
      const events = await flagEvents(queue)
      expect(events.map(({ length }) => length)).toEqual([ENTRIES_AT_ONCE, 1_000])
      expect(events.flat()).toEqual(ids)
    }
    expect(await unread()).toEqual(ids)
  })

  it('is refused before the first commit when the last may not be flagged', async () => {
    const queue = await openFlags()
    expect((await flag('remove', 'starred', [...ids, 999_999])).status).toBe(200)
    await queue.events()
    const refused = await flag('add', 'starred', [...ids, 999_999])
    expect([refused.status, refused.body.msg]).toEqual([400, 'Invalid message(s)'])
    expect(await flagEvents(queue)).toEqual([])
  })

  it('is set in a narrow around an anchor in several commits, with one answer', async () => {
    const flagAround = (params: Record<string, ParameterValue>) =>
      ann.api.post('/messages/flags/narrow', {
        narrow: [
          ['channel', channel.name],
          ['topic', 'long'],
        ],
        op: 'add',
        flag: 'collapsed',
        ...params,
      })
    const queue = await openFlags()
    const [first, anchor, last] = [50, 1_200, 1_900]
    const around = { anchor: ids[anchor]!, num_before: anchor - first, num_after: last - anchor }
    const part = ids.slice(first, last + 1)
    const answer = { first_processed_id: part[0], last_processed_id: part.at(-1) }
    expect(expectSuccess(await flagAround(around))).toEqual({
      result: 'success',
      msg: '',
      processed_count: part.length,
      updated_count: part.length,
      ...answer,
      found_oldest: false,
      found_newest: false,
      ignored_because_not_subscribed_channels: [],
    })
    const events = await flagEvents(queue)
    expect(Math.max(...events.map(({ length }) => length))).toBeLessThanOrEqual(ENTRIES_AT_ONCE + 1)
    expect(events.flat().sort((a, b) => a - b)).toEqual(part)
    expect(expectSuccess(await flagAround(around))).toMatchObject({ updated_count: 0, ...answer })
    for (const [anchor, sides] of [
      ['newest', { num_before: 5_000, num_after: 0 }],
      ['oldest', { num_before: 0, num_after: 5_000 }],
    ] as const) {
      expect(expectSuccess(await flagAround({ anchor, ...sides, op: 'remove' }))).toMatchObject({
        processed_count: COUNT,
        updated_count: anchor === 'newest' ? part.length : 0,
        first_processed_id: ids[0],
        last_processed_id: ids.at(-1),
        found_oldest: true,
        found_newest: true,
      })
    }
  })

  it('is set on a whole channel or topic in turns, once for each message', async () => {
    for (const [path, params] of [
      ['/mark_stream_as_read', { stream_id: channel.id }],
      ['/mark_topic_as_read', { stream_id: channel.id, topic_name: 'long' }],
    ] as const) {
      expectSuccess(await flag('remove', 'read'))
      const queue = await openFlags()
      expectSuccess(await ann.api.post(path, params))
      const events = await flagEvents(queue)
      expect(events.length).toBeGreaterThan(1)
      for (const messages of events) expect(messages.length).toBeLessThanOrEqual(ROWS_OF_SLICE)
      expect(events.flat()).toEqual(ids)
      expect(await unread()).toEqual([])
    }
  })

  it('is set on all unread in a channel one leaves, before leaving', async () => {
    expectSuccess(await flag('remove', 'read'))
    const queue = await openFlags()
    const left = { subscriptions: [channel.name] }
    const answer = expectSuccess(await ann.api.delete('/users/me/subscriptions', left))
    expect(answer).toMatchObject({ removed: [channel.name], not_removed: [] })
    const events = await flagEvents(queue)
    expect(events.length).toBeGreaterThan(2)
    for (const messages of events) expect(messages.length).toBeLessThanOrEqual(ENTRIES_AT_ONCE)
    expect(events.flat()).toEqual(ids)
    expectSuccess(await ann.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }))
    expect(await unread()).toEqual([])
  })

  it('is set in turns also in one request that leaves and joins', async () => {
    expectSuccess(await flag('remove', 'read'))
    const queue = await openFlags()
    const both = { delete: [channel.name], add: [{ name: 'elsewhere' }] }
    const answer = expectSuccess(await ann.api.patch('/users/me/subscriptions', both))
    expect(answer).toMatchObject({
      subscribed: { [ann.id]: ['elsewhere'] },
      removed: [channel.name],
      not_removed: [],
    })
    const events = await flagEvents(queue)
    expect(events.length).toBeGreaterThan(1)
    for (const messages of events) expect(messages.length).toBeLessThanOrEqual(ENTRIES_AT_ONCE)
    expect(events.flat()).toEqual(ids)
    const { subscriptions } = expectSuccess(await ann.api.get('/users/me/subscriptions'))
    const present = subscriptions.map(({ name }: { name: string }) => name)
    expect([present.includes('elsewhere'), present.includes(channel.name)]).toEqual([true, false])
  })
})

it('leaving a channel reads nothing of what is unread elsewhere', async () => {
  const { realm, user, elsewhere, left } = await buildRealm(
    { user: 'member' },
    { channels: { elsewhere: ['owner', 'user'], left: ['owner', 'user'] } },
  )
  const rowsOfLeaving = async () => {
    const params = { subscriptions: [left.name] }
    return (await countRows(user.api, 'DELETE', '/users/me/subscriptions', params)).object.read
  }
  await rowsOfLeaving()
  expectSuccess(await user.api.post('/users/me/subscriptions', { subscriptions: [{ name: left.name }] }))
  const before = await rowsOfLeaving()
  expectSuccess(await user.api.post('/users/me/subscriptions', { subscriptions: [{ name: left.name }] }))
  await insertInIndex(realm, realm.owner, { channelId: elsewhere.id, topic: 'unread', count: 2_000 })
  expect((await rowsOfLeaving()) - before).toBeLessThan(20)
})
