import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { countRows } from '../../support/counted-rows.ts'
import { buildUser, expectSuccess, type TestRealm, type TestUser } from '../../support/factories.ts'
import { addChannels, changeRealm, insertUsers, subscribe } from '../../support/inside.ts'
import { defaultPermissions } from '../../support/inside-rows.ts'
import type { NewChannel } from '../../support/inside-types.ts'
import { countStatements } from '../../support/inside-work.ts'
import { CHANNELS_GAINED_IN_EVENTS } from '../../support/limits.ts'
import { openQueue, type TestQueue } from '../../support/queues.ts'
import { buildRealm } from '../../support/use-realm.ts'

const MEMBER = { role: 400 }
/** More than the organization's own channels, which are gained too. */
const OTHERS = 20

it('whoever gets to know of too many channels registers again, others do not', async () => {
  const { realm, owner } = await buildRealm()
  const guest = await buildUser(realm, { role: 600 })
  await insertNames(realm, CHANNELS_GAINED_IN_EVENTS.channels + 1)
  const other = await openQueue(owner)
  const queue = await openQueue(guest)
  const { object } = await countRows(owner.api, 'PATCH', `/users/${guest.id}`, MEMBER)
  // A channel is a row, and two where private ones are looked for; nothing is written for it.
  expect(object.read).toBeLessThan(4 * CHANNELS_GAINED_IN_EVENTS.channels)
  expect(object.written).toBeLessThan(30)
  const refused = await guest.api.get('/events', { queue_id: queue.id, last_event_id: queue.lastEventId })
  expect(refused.body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID', queue_id: queue.id })
  const { snapshot } = await openQueue(guest)
  expect(snapshot.is_guest).toBe(false)
  expect(shownIn(snapshot).length).toBeGreaterThan(CHANNELS_GAINED_IN_EVENTS.channels)
  expect(await other.eventsOf('realm_user')).toMatchObject([{ person: { user_id: guest.id, ...MEMBER } }])
})

it('fewer channels come in events, and all go in events', async () => {
  const { realm, owner } = await buildRealm()
  const guest = await buildUser(realm, { role: 600 })
  await insertNames(realm, CHANNELS_GAINED_IN_EVENTS.channels - OTHERS)
  const queue = await openQueue(guest)
  const before = shownIn(queue.snapshot)
  expectSuccess(await owner.api.patch(`/users/${guest.id}`, MEMBER))
  const created = (await queue.eventsOf('stream')).flatMap(
    ({ streams }) => streams as { stream_id: number }[],
  )
  const after = await openQueue(guest)
  expect([...before, ...created.map(({ stream_id }) => stream_id)].sort((a, b) => a - b)).toEqual(
    shownIn(after.snapshot),
  )
  await insertNames(realm, 3 * OTHERS, 'more')
  expectSuccess(await owner.api.patch(`/users/${guest.id}`, { role: 600 }))
  const deleted = (await after.eventsOf('stream', 'delete')).flatMap(({ stream_ids }) => stream_ids)
  expect(deleted.length).toBeGreaterThan(CHANNELS_GAINED_IN_EVENTS.channels)
  expect(shownIn((await openQueue(guest)).snapshot)).toEqual(before)
})

it('thousands of channels are told apart by kind in one statement of a narrow', async () => {
  const { realm, owner } = await buildRealm()
  const statements = async (narrow: ParameterValue) => {
    const params = {
      narrow,
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
    }
    return countStatements(async () => expectSuccess(await owner.api.get('/messages', params)))
  }
  const topic = { operator: 'topic', operand: 'nothing of this name' }
  const narrows = (['public', 'web-public'] as const).flatMap((operand) =>
    [false, true].map((negated) => [{ operator: 'channels', operand, negated }, topic]),
  )
  const few: number[] = []
  for (const narrow of narrows) few.push(await statements(narrow))
  const COUNT = 200
  await insertNames(realm, COUNT, 'other')
  for (const [at, narrow] of narrows.entries()) {
    expect((await statements(narrow)) - few[at]!).toBeLessThan(COUNT / 4)
  }
})

it('few channels with too many subscribers end the queues too', async () => {
  const { realm, owner, channel } = await buildRealm({}, { channels: { channel: ['owner'] } })
  const guest = await buildUser(realm, { role: 600 })
  const queue = await openQueue(guest)
  await changeRealm(realm, (tx) => {
    tx.sql.run(
      `WITH RECURSIVE n (id) AS (SELECT 1000000 UNION ALL SELECT id + 1 FROM n LIMIT ?)
       INSERT INTO subscription (channel_id, user_id, is_active, since_event, since_message, color)
       SELECT ?, id, 1, 0, 0, '' FROM n`,
      CHANNELS_GAINED_IN_EVENTS.subscribers,
      channel.id,
    )
  })
  expectSuccess(await owner.api.patch(`/users/${guest.id}`, MEMBER))
  const refused = await guest.api.get('/events', { queue_id: queue.id, last_event_id: queue.lastEventId })
  expect(refused.body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
})

it('an account in many channels leaves and returns in few events, also for guests', async () => {
  const { realm, owner } = await buildRealm()
  const COUNT = 40
  const ids = await insertNames(realm, COUNT)
  const member = await buildUser(realm)
  const guests = [
    await buildUser(realm, { role: 600 }),
    await buildUser(realm, { role: 600 }),
    await buildUser(realm, { role: 600 }),
  ]
  const join = async (principals: readonly number[], channelIds: readonly number[]) => {
    const subscriptions = channelIds.map((id) => ({ name: `channel ${ids.indexOf(id)}` }))
    expectSuccess(
      await owner.api.post('/users/me/subscriptions', { subscriptions, principals: [...principals] }),
    )
  }
  await join([member.id], ids)
  // Two guests are in the same channels, and the third in others.
  await join([guests[0]!.id, guests[1]!.id], ids.slice(0, 30))
  await join([guests[2]!.id], ids.slice(25))
  // Others are in one channel each.
  const crowd = await insertUsers(realm, COUNT)
  await changeRealm(realm, (tx) => {
    for (const [at, { id }] of crowd.entries()) {
      tx.sql.run('UPDATE user SET role = 600 WHERE id = ?', id)
      subscribe(tx, ids[at]!, [id])
    }
  })
  const queues = await Promise.all([owner, ...guests].map((user) => openQueue(user)))
  for (const [close, op] of [
    [true, 'peer_remove'],
    [false, 'peer_add'],
  ] as const) {
    const [method, path] = close
      ? ['DELETE', `/users/${member.id}`]
      : ['POST', `/users/${member.id}/reactivate`]
    const { object } = await countRows(owner.api, method!, path!)
    expect(object.written).toBeLessThan(2 * COUNT + 120)
    const shown = await Promise.all(
      queues.map(async (queue) =>
        (await queue.eventsOf('subscription', op)).map(({ stream_ids }) =>
          (stream_ids as number[]).filter((id) => ids.includes(id)).sort((a, b) => a - b),
        ),
      ),
    )
    expect(shown.map((events) => events.filter(({ length }) => length > 0))).toEqual([
      [ids],
      [ids.slice(0, 30)],
      [ids.slice(0, 30)],
      [ids.slice(25)],
    ])
  }
})

describe('an account in many private channels', () => {
  const COUNT = 40
  const build = async () => {
    const { realm, owner } = await buildRealm()
    const people = {
      leaving: await buildUser(realm),
      subscriber: await buildUser(realm),
      granted: await buildUser(realm),
      guest: await buildUser(realm, { role: 600 }),
      stranger: await buildUser(realm),
    }
    const isPrivate = { isPrivate: true }
    const named = {
      ...defaultPermissions(null),
      can_administer_channel_group: { direct_members: [people.granted.id], direct_subgroups: [] },
    }
    const ids = [
      ...(await insertNames(realm, 30, 'private', isPrivate)),
      ...(await insertNames(realm, 10, 'granted', { ...isPrivate, settings: named })),
    ]
    const enter = ({ id }: TestUser, channelIds: readonly number[]) =>
      changeRealm(realm, (tx) => {
        for (const channelId of channelIds) subscribe(tx, channelId, [id])
      })
    await enter(people.leaving, ids)
    await enter(people.subscriber, ids.slice(0, 25))
    await enter(people.guest, ids.slice(20))
    return { realm, owner, ids, ...people }
  }

  /** Returns the private channels of each event about this person that has any, ascending. */
  const shown = async (queue: TestQueue, op: string, { id }: TestUser, ids: readonly number[]) =>
    (await queue.eventsOf('subscription', op))
      .filter(({ user_ids }) => (user_ids as number[]).join() === String(id))
      .map(({ stream_ids }) => (stream_ids as number[]).filter((one) => ids.includes(one)))
      .filter(({ length }) => length > 0)
      .map((some) => some.toSorted((a, b) => a - b))

  it('leaves and returns in one event, of which everybody gets what they see', async () => {
    const { owner, leaving, subscriber, granted, guest, stranger, ids } = await build()
    const queues = await Promise.all(
      [owner, subscriber, granted, guest, stranger].map((user) => openQueue(user)),
    )
    for (const [method, path, op] of [
      ['DELETE', `/users/${leaving.id}`, 'peer_remove'],
      ['POST', `/users/${leaving.id}/reactivate`, 'peer_add'],
    ] as const) {
      const { object } = await countRows(owner.api, method, path)
      // The rows of its periods, and some of its account: an event for each channel would be 40 more.
      expect(object.written).toBeLessThan(2 * COUNT + 140)
      expect(await Promise.all(queues.map((queue) => shown(queue, op, leaving, ids)))).toEqual([
        [ids],
        [ids.slice(0, 25)],
        [ids.slice(30)],
        [ids.slice(20)],
        [],
      ])
    }
  })

  it('leaves those in which others were then, whenever they read', async () => {
    const { realm, owner, leaving, subscriber, stranger, ids } = await build()
    const queues = await Promise.all([subscriber, stranger].map((user) => openQueue(user)))
    expectSuccess(await owner.api.delete(`/users/${leaving.id}`))
    expectSuccess(
      await subscriber.api.delete('/users/me/subscriptions', { subscriptions: ['private 0', 'private 1'] }),
    )
    await changeRealm(realm, (tx) => subscribe(tx, ids[2]!, [stranger.id]))
    expect(await Promise.all(queues.map((queue) => shown(queue, 'peer_remove', leaving, ids)))).toEqual([
      [ids.slice(0, 25)],
      [],
    ])
  })
})

/** Returns the ids of new channels, ascending; they are public if nothing else is said. */
async function insertNames(
  realm: TestRealm,
  count: number,
  name = 'channel',
  differences: Partial<NewChannel> = {},
): Promise<number[]> {
  return addChannels(
    realm,
    Array.from({ length: count }, (_, at) => `${name} ${at}`),
    differences,
  )
}

/** Returns the ids of all channels of a snapshot, ascending. */
function shownIn(snapshot: Record<string, { stream_id: number }[]>): number[] {
  return [snapshot.subscriptions!, snapshot.unsubscribed!, snapshot.never_subscribed!]
    .flat()
    .map(({ stream_id }) => stream_id)
    .sort((a, b) => a - b)
}
