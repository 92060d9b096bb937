import { beforeAll, describe, expect, it } from 'vitest'
import { SUBSCRIPTIONS_IN_ONE_COMMIT } from '../../src/core/budgets.ts'
import { type RequestRows, ROWS_HEADER } from '../../src/dev/count-rows.ts'
import { enterInIndex } from '../support/entered-messages.ts'
import {
  buildChannel,
  buildRealm,
  buildUser,
  expectSuccess,
  type TestRealm,
  type TestUser,
} from '../support/factories.ts'
import { enterUsers, inRealm } from '../support/inside.ts'
import { openQueue } from '../support/queues.ts'

it('a change of more members of a group than are told in one commit is one change, and each is told of it once', async () => {
  const realm = await buildRealm()
  const { owner } = realm
  const people = await enterUsers(realm, 130)
  const ids = people.map(({ id }) => id)
  const group = { name: 'many', description: '', members: [] }
  const { group_id } = expectSuccess(await owner.api.post('/user_groups/create', group))
  const queue = await openQueue(owner, { event_types: ['user_group'] })
  const told = () =>
    inRealm(realm, ({ parts }) =>
      parts.sql.all<{ count: number }>(
        `SELECT count(*) AS count FROM message_index WHERE topic_id = 0 GROUP BY recipient_id`,
      ),
    )
  const change = (params: object) =>
    owner.api.post(`/user_groups/${group_id}/members`, params as Record<string, number[]>)
  expect(expectSuccess(await change({ add: ids }))).toEqual({ result: 'success', msg: '' })
  expect(await told()).toEqual(ids.map(() => ({ count: 1 })))
  expect((await change({ add: ids })).status).toBe(400)
  expectSuccess(await change({ delete: ids.slice(0, 120), add: [owner.id] }))
  const events = await queue.eventsOf('user_group')
  expect(events.map(({ op, user_ids }) => [op, (user_ids as number[]).length])).toEqual([
    ['add_members', 130],
    ['add_members', 1],
    ['remove_members', 120],
  ])
  expect(await told()).toEqual(ids.map((_, at) => ({ count: at < 120 ? 2 : 1 })))
})

it('a message to a channel of many costs those who send it nothing for each of them, whether it calls all or not', async () => {
  const realm = await buildRealm()
  const { owner } = realm
  const channel = await buildChannel([owner])
  await enterUsers(realm, 1_000, channel.id)
  const rowsOf = async (content: string) => {
    const params = { type: 'channel', to: channel.id, topic: 'news', content }
    const response = await owner.api.request('POST', '/messages', params, {
      headers: { [ROWS_HEADER]: 'count' },
    })
    expectSuccess(response)
    return (JSON.parse(response.headers.get(ROWS_HEADER)!) as RequestRows).object
  }
  await rowsOf('The first')
  expect((await rowsOf('Nobody')).read).toBeLessThan(50)
  // Whether they are many is found out by the first 301, two rows each.
  const all = await rowsOf('@**all**')
  expect(all.read).toBeLessThan(700)
  expect(all.written).toBeLessThan(20)
})

it('who leaves a channel has nothing looked at of what is unread elsewhere', async () => {
  const realm = await buildRealm()
  const user = await buildUser(realm)
  const [elsewhere, left] = [await buildChannel([realm.owner, user]), await buildChannel([realm.owner, user])]
  const rowsOfLeaving = async () => {
    const response = await user.api.request(
      'DELETE',
      '/users/me/subscriptions',
      { subscriptions: [left.name] },
      {
        headers: { [ROWS_HEADER]: 'count' },
      },
    )
    expectSuccess(response)
    return (JSON.parse(response.headers.get(ROWS_HEADER)!) as RequestRows).object.read
  }
  await rowsOfLeaving()
  expectSuccess(await user.api.post('/users/me/subscriptions', { subscriptions: [{ name: left.name }] }))
  const before = await rowsOfLeaving()
  expectSuccess(await user.api.post('/users/me/subscriptions', { subscriptions: [{ name: left.name }] }))
  await enterInIndex(realm, realm.owner, { channelId: elsewhere.id, topic: 'unread', count: 2_000 })
  expect((await rowsOfLeaving()) - before).toBeLessThan(20)
})

describe('a channel that more people come into than one commit takes', () => {
  const COUNT = SUBSCRIPTIONS_IN_ONE_COMMIT + 20
  let realm: TestRealm
  let people: TestUser[]
  let ids: number[]
  beforeAll(async () => {
    realm = await buildRealm()
    people = await enterUsers(realm, COUNT)
    ids = people.map(({ id }) => id)
  })
  const arrange = async () => ({
    owner: realm.owner,
    queue: await openQueue(realm.owner, {
      event_types: ['subscription', 'stream'],
      fetch_event_types: [],
      include_subscribers: true,
    }),
  })
  const subscribers = async (name: string) => {
    const { stream_id } = expectSuccess(await realm.owner.api.get('/get_stream_id', { stream: name }))
    const { subscribers: found } = expectSuccess(await realm.owner.api.get(`/streams/${stream_id}/members`))
    return found as number[]
  }
  const usersOf = (events: Record<string, unknown>[], op: string) =>
    events.filter((event) => event.op === op).flatMap(({ user_ids }) => user_ids as number[])

  it('is made once and told of once, has all of them, and one answer names them', async () => {
    const { owner, queue } = await arrange()
    const answer = expectSuccess(
      await owner.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'hall' }],
        principals: [owner.id, ...ids],
        announce: true,
      }),
    )
    expect(answer.subscribed).toEqual(Object.fromEntries([owner.id, ...ids].map((id) => [id, ['hall']])))
    expect(answer).toMatchObject({ already_subscribed: {}, new_subscription_messages_sent: false })
    expect(await subscribers('hall')).toEqual([owner.id, ...ids])
    const events = await queue.events()
    expect(events.filter(({ type, op }) => type === 'stream' && op === 'create')).toHaveLength(1)
    // Who came with the owner is in the owner's own event, the others in what follows.
    const [added] = events.filter(({ op }) => op === 'add') as unknown as {
      subscriptions: { subscribers: number[] }[]
    }[]
    const told = [...added!.subscriptions[0]!.subscribers, ...usersOf(events, 'peer_add')]
    expect(told.sort((a, b) => a - b)).toEqual([owner.id, ...ids])
    // Who came with the last commit has what was said when the channel was made, as the first has.
    for (const person of [people[0]!, people.at(-1)!]) {
      const { messages } = expectSuccess(
        await person.api.get('/messages', {
          anchor: 'newest',
          num_before: 10,
          num_after: 0,
          narrow: [{ operator: 'channel', operand: 'hall' }],
        }),
      )
      expect(messages.map(({ flags }: { flags: string[] }) => flags)).toEqual([[]])
    }
  })

  it('is left by all of them, and who was not in it is said to be', async () => {
    const { owner, queue } = await arrange()
    const hall = { subscriptions: [{ name: 'room' }], principals: [owner.id, ...ids.slice(1)] }
    expectSuccess(await owner.api.post('/users/me/subscriptions', hall))
    await queue.events()
    const answer = expectSuccess(
      await owner.api.delete('/users/me/subscriptions', { subscriptions: ['room'], principals: ids }),
    )
    expect(answer.removed).toEqual(Array(COUNT - 1).fill('room'))
    expect(answer.not_removed).toEqual(['room'])
    expect(await subscribers('room')).toEqual([owner.id])
    expect(usersOf(await queue.events(), 'peer_remove').sort((a, b) => a - b)).toEqual(ids.slice(1))
  })

  it('is refused before anybody comes, where somebody may not, or where they are too many for one request', async () => {
    const { owner } = realm
    const channels = Array.from({ length: 100 }, (_, at) => ({ name: `channel ${at}` }))
    const many = await owner.api.post('/users/me/subscriptions', { subscriptions: channels, principals: ids })
    expect(many.status).toBe(413)
    const unknown = { subscriptions: [{ name: 'hut' }], principals: [...ids, 99_999] }
    expect((await owner.api.post('/users/me/subscriptions', unknown)).status).toBe(400)
    const { streams } = expectSuccess(await owner.api.get('/streams'))
    expect(streams.map(({ name }: { name: string }) => name)).not.toContain('hut')
    expect(streams.map(({ name }: { name: string }) => name)).not.toContain('channel 0')
  })
})
