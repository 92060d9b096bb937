import { expect, it } from 'vitest'
import { type RequestRows, ROWS_HEADER } from '../../src/dev/count-rows.ts'
import type { ParameterValue } from '../support/api.ts'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { enterUsers, inRealm } from '../support/inside.ts'
import { openQueue } from '../support/queues.ts'
import { buildRealm } from '../support/use-realm.ts'

const MEMBERS = 1_000

it('channels that one large group sees are made in one event, which reads it once', async () => {
  const { realm, owner } = await buildRealm()
  const people = await enterUsers(realm, MEMBERS)
  const members = people.map(({ id }) => id)
  const group = { name: 'crowd', description: '', members }
  const { group_id } = expectSuccess(await owner.api.post('/user_groups/create', group))
  const queue = await openQueue(people.at(-1)!, { event_types: ['stream'] })
  const subscriptions = Array.from({ length: 20 }, (_, at) => ({ name: `private ${at}` }))
  const read = await rowsRead(owner, 'POST', '/users/me/subscriptions', {
    subscriptions,
    invite_only: true,
    can_subscribe_group: group_id,
  })
  // A member is a row of the group and an account, and in a list: once to make the channels, and once or twice to join them.
  expect(read).toBeLessThan(20 * MEMBERS)
  const created = (await queue.eventsOf('stream')).filter(({ op }) => op === 'create')
  expect(created.map(({ streams }) => (streams as unknown[]).length)).toEqual([subscriptions.length])
})

it('members of a group who see a channel by it are read together', async () => {
  const { realm, owner } = await buildRealm()
  const people = await enterUsers(realm, MEMBERS)
  const members = people.map(({ id }) => id)
  const group = { name: 'crowd', description: '', members: [] }
  const { group_id } = expectSuccess(await owner.api.post('/user_groups/create', group))
  const channel = {
    name: 'theirs',
    subscribers: [owner.id],
    invite_only: true,
    can_subscribe_group: group_id,
  }
  expectSuccess(await owner.api.post('/channels/create', channel))
  const queue = await openQueue(people.at(-1)!, { event_types: ['stream'] })
  const path = `/user_groups/${group_id}/members`
  // A member is a row of the group and an account, and in several lists; a notice is some 20 rows.
  expect(await rowsRead(owner, 'POST', path, { add: members.slice(1) })).toBeLessThan(60 * MEMBERS)
  expect(await queue.eventsOf('stream')).toMatchObject([{ op: 'create', streams: [{ name: 'theirs' }] }])
  expectSuccess(await owner.api.post(path, { delete: members.slice(500) }))
  expect(await queue.eventsOf('stream')).toMatchObject([{ op: 'delete' }])
})

it('channels that a group sees come to new members in one event, except theirs', async () => {
  const { realm, owner } = await buildRealm()
  const people = await enterUsers(realm, MEMBERS)
  const [subscriber, named] = people as [TestUser, TestUser]
  const group = { name: 'crowd', description: '', members: [] }
  const { group_id } = expectSuccess(await owner.api.post('/user_groups/create', group))
  const COUNT = 40
  const subscriptions = Array.from({ length: COUNT }, (_, at) => ({ name: `private ${at}` }))
  const channels = { subscriptions, invite_only: true, can_subscribe_group: group_id }
  expectSuccess(await owner.api.post('/users/me/subscriptions', channels))
  const idOf = async (stream: string) =>
    expectSuccess(await owner.api.get('/get_stream_id', { stream })).stream_id as number
  const [joined, seen] = [await idOf('private 0'), await idOf('private 1')]
  const join = { subscriptions: [{ name: 'private 0' }], principals: [subscriber.id] }
  expectSuccess(await owner.api.post('/users/me/subscriptions', join))
  const value = { new: { direct_members: [named.id], direct_subgroups: [group_id] } }
  expectSuccess(await owner.api.patch(`/streams/${seen}`, { can_subscribe_group: value }))
  const queues = [
    await openQueue(people.at(-1)!, { event_types: ['stream', 'subscription'] }),
    await openQueue(subscriber, { event_types: ['stream', 'subscription'] }),
    await openQueue(named, { event_types: ['stream', 'subscription'] }),
  ]
  const path = `/user_groups/${group_id}/members`
  const members = people.map(({ id }) => id)
  const entries = () =>
    inRealm(
      realm,
      ({ parts }) =>
        parts.sql.all(`SELECT id FROM log WHERE json_extract(event, '$.type') = 'stream'`).length,
    )
  for (const [change, op] of [
    ['add', 'create'],
    ['delete', 'delete'],
  ] as const) {
    const before = await entries()
    expectSuccess(await owner.api.post(path, { [change]: members }))
    const found = await Promise.all(queues.map((queue) => queue.eventsOf('stream')))
    const shown = found.map((events) =>
      events.filter((event) => event.op === op).flatMap(({ streams }) => streams as { stream_id: number }[]),
    )
    const ids = shown.map((streams) => new Set(streams.map(({ stream_id }) => stream_id)))
    expect(shown.map(({ length }) => length)).toEqual([COUNT, COUNT - 1, COUNT - 1])
    expect(ids.map(({ size }) => size)).toEqual([COUNT, COUNT - 1, COUNT - 1])
    expect(ids[1]!.has(joined)).toBe(false)
    expect(ids[2]!.has(seen)).toBe(false)
    // One for those channels alone of which the same is true.
    expect((await entries()) - before).toBe(3)
  }
})

async function rowsRead(
  user: TestUser,
  method: 'POST' | 'DELETE',
  path: string,
  params: Record<string, ParameterValue> = {},
): Promise<number> {
  const response = await user.api.request(method, path, params, { headers: { [ROWS_HEADER]: 'count' } })
  expectSuccess(response)
  return (JSON.parse(response.headers.get(ROWS_HEADER)!) as RequestRows).object.read
}
