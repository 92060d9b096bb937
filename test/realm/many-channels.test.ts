import { expect, it } from 'vitest'
import { CHANNELS_GAINED_IN_EVENTS } from '../../src/core/commit-budgets.ts'
import { countRows } from '../support/counted-rows.ts'
import { buildUser, expectSuccess, type TestRealm } from '../support/factories.ts'
import { changeRealm, enterChannels } from '../support/inside.ts'
import { openQueue } from '../support/queues.ts'
import { buildRealm } from '../support/use-realm.ts'

const MEMBER = { role: 400 }
/** More than the organization's own channels, which are gained too. */
const OTHERS = 20

it('whoever gets to know of too many channels registers again, others do not', async () => {
  const { realm, owner } = await buildRealm()
  const guest = await buildUser(realm, { role: 600 })
  await enterNames(realm, CHANNELS_GAINED_IN_EVENTS.channels + 1)
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
  await enterNames(realm, CHANNELS_GAINED_IN_EVENTS.channels - OTHERS)
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
  await enterNames(realm, 3 * OTHERS, 'more')
  expectSuccess(await owner.api.patch(`/users/${guest.id}`, { role: 600 }))
  const deleted = (await after.eventsOf('stream', 'delete')).flatMap(({ stream_ids }) => stream_ids)
  expect(deleted.length).toBeGreaterThan(CHANNELS_GAINED_IN_EVENTS.channels)
  expect(shownIn((await openQueue(guest)).snapshot)).toEqual(before)
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
  const ids = await enterNames(realm, COUNT)
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

/** Returns the ids of new public channels, ascending. */
async function enterNames(realm: TestRealm, count: number, name = 'channel'): Promise<number[]> {
  return enterChannels(
    realm,
    Array.from({ length: count }, (_, at) => `${name} ${at}`),
  )
}

/** Returns the ids of all channels of a snapshot, ascending. */
function shownIn(snapshot: Record<string, { stream_id: number }[]>): number[] {
  return [snapshot.subscriptions!, snapshot.unsubscribed!, snapshot.never_subscribed!]
    .flat()
    .map(({ stream_id }) => stream_id)
    .sort((a, b) => a - b)
}
