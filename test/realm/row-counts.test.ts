import { beforeAll, describe, expect, it } from 'vitest'
import type { ParameterValue } from '../support/api.ts'
import { expectSuccess, type TestRealm, type TestUser } from '../support/factories.ts'
import { inRealm, insertUsers } from '../support/inside.ts'
import type { RowCounts, Runtime } from '../support/inside-types.ts'
import { neverEvict } from '../support/never-evict.ts'
import { openQueue, type TestQueue } from '../support/queues.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { buildRealm } from '../support/use-realm.ts'
import { WHOLE_ROWS } from '../support/whole-rows.ts'

/** An organization with one channel; some of its subscribers have a queue. */
interface Crowd {
  readonly realm: TestRealm
  readonly channel: { id: number; name: string }
  /** Five of the others. */
  readonly people: readonly TestUser[]
  readonly user: TestUser
  readonly queue: TestQueue
  /** A message of the owner's to act on. */
  readonly messageId: number
}

async function crowdOf(count: number): Promise<Crowd> {
  const { realm, channel } = await buildRealm({}, { channels: { channel: ['owner'] } })
  const [user, ...people] = (await insertUsers(realm, count - 1, channel.id)) as [TestUser, ...TestUser[]]
  const queue = await openQueue(user, { event_types: ['message'], fetch_event_types: [] })
  // A first message also writes its topic, its conversation and the client's name.
  const { id: messageId } = await send({ realm, channel })
  await direct({ realm, user })
  await queue.events()
  return { realm, channel, people: people.slice(0, 5), user, queue, messageId }
}

let small: Crowd
let large: Crowd
neverEvict()
useReliableD1()
beforeAll(async () => {
  small = await crowdOf(10)
  large = await crowdOf(1_000)
}, 60_000)

type Fields = Record<string, ParameterValue>

async function send({ realm, channel }: Pick<Crowd, 'realm' | 'channel'>, more: Fields = {}) {
  const sent = { type: 'stream', to: channel.name, topic: 'rows', content: 'x', ...more }
  return expectSuccess(await realm.owner.api.post('/messages', sent))
}

async function direct({ realm, user }: Pick<Crowd, 'realm' | 'user'>) {
  const sent = { type: 'direct', to: [user.id], content: 'x' }
  return expectSuccess(await realm.owner.api.post('/messages', sent))
}

/** Returns the rows of the object and D1 together, including all that follows a commit. */
async function costOf({ realm }: Crowd, act: () => Promise<unknown>): Promise<RowCounts> {
  await settled(realm)
  const before = await totals(realm)
  await act()
  await settled(realm)
  const after = await totals(realm)
  return { read: after.read - before.read, written: after.written - before.written }
}

function totals(realm: TestRealm): Promise<RowCounts> {
  return inRealm(realm, ({ parts }) => ({
    read: parts.sql.counts.read + parts.projector.counts.read,
    written: parts.sql.counts.written + parts.projector.counts.written,
  }))
}

function logLength({ sql }: Runtime): number {
  return sql.first<{ count: number }>('SELECT count(*) AS count FROM log')!.count
}

/** Waits until D1 has everything, without the usual pause. The check itself is not counted. */
async function settled(realm: TestRealm): Promise<void> {
  await inRealm(realm, ({ parts }) => parts.projector.kick())
  const isSettled = () =>
    inRealm(realm, ({ parts }, { storage }) => {
      const asking = storage.sql.exec<{ id: number }>(
        'SELECT max(id) AS id FROM log WHERE writes IS NOT NULL',
      )
      return parts.projector.projected >= asking.one().id
    })
  while (!(await isSettled())) await scheduler.wait(1)
}

/** Returns the rows written by moves of a topic of twenty messages. */
async function costsOfMoves(crowd: Crowd) {
  const { realm, channel, people } = crowd
  let last = 0
  for (let count = 0; count < 20; count += 1) last = (await send(crowd, { topic: 'long' })).id
  const setPolicy = async ({ api }: TestUser, topic: string, visibility_policy: number) =>
    expectSuccess(await api.post('/user_topics', { stream_id: channel.id, topic, visibility_policy }))
  // Its first sender follows it.
  await setPolicy(realm.owner, 'long', 0)
  const move = async (topic: string) => {
    const moved = { topic, propagate_mode: 'change_all', send_notification_to_new_thread: false }
    const act = async () => expectSuccess(await realm.owner.api.patch(`/messages/${last}`, moved))
    return (await costOf(crowd, act)).written
  }
  const renamed = await move('longer')
  const resolved = await move('✔ longer')
  for (const [at, person] of people.entries()) await setPolicy(person, '✔ longer', at < 3 ? 1 : 3)
  return { renamed, resolved, renamedWithPolicies: await move('longest') }
}

const flags = (flag: string) => (crowd: Crowd) =>
  crowd.user.api.post('/messages/flags', { messages: [crowd.messageId], op: 'add', flag }).then(expectSuccess)

/** Operations with the rows that each writes. With a hundred times the subscribers they write and read no more. */
const OPERATIONS: Record<string, { written: number; act: (crowd: Crowd) => Promise<unknown> }> = {
  'a channel message': { written: WHOLE_ROWS['a channel message'], act: (crowd) => send(crowd) },
  'a channel message that spells its topic in its own way': {
    written: 7,
    act: (crowd) => send(crowd, { topic: 'Rows' }),
  },
  'a channel message that may be repeated': {
    written: WHOLE_ROWS['a channel message that may be repeated'],
    act: (crowd) => send(crowd, { queue_id: crowd.queue.id, local_id: '1' }),
  },
  'a direct message': { written: WHOLE_ROWS['a direct message'], act: direct },
  'a poll that has nothing': {
    written: WHOLE_ROWS['a poll that has nothing'],
    act: ({ queue }) => queue.events(),
  },
  'a poll that gets a message': {
    written: 7,
    act: async (crowd) => {
      await send(crowd)
      expect(await crowd.queue.events()).toHaveLength(1)
    },
  },
  'a queue registered without a snapshot': {
    written: WHOLE_ROWS['a queue registered without a snapshot'],
    act: ({ user }) => openQueue(user, { event_types: ['message'], fetch_event_types: [] }),
  },
  'one message marked as read': { written: WHOLE_ROWS['one message marked as read'], act: flags('read') },
  'a star': { written: WHOLE_ROWS['a star'], act: flags('starred') },
  'a reaction': {
    written: WHOLE_ROWS['a reaction'],
    act: ({ user, messageId }) =>
      user.api.post(`/messages/${messageId}/reactions`, { emoji_name: 'tada' }).then(expectSuccess),
  },
  'ten messages fetched': {
    written: 0,
    act: ({ user }) =>
      user.api.get('/messages', { anchor: 'newest', num_before: 10, num_after: 0 }).then(expectSuccess),
  },
  'one’s own account': { written: 0, act: ({ user }) => user.api.get('/users/me').then(expectSuccess) },
  'the end of a queue': {
    written: 1,
    act: async ({ user, queue }) => expectSuccess(await user.api.delete('/events', { queue_id: queue.id })),
  },
}

describe('rows', () => {
  it.each(Object.entries(OPERATIONS))(
    'of %s are the same for 10 and for 1,000',
    async (_what, { act, written }) => {
      const few = await costOf(small, () => act(small))
      const many = await costOf(large, () => act(large))
      expect(many).toEqual(few)
      expect(few.written).toBe(written)
    },
  )

  it('of a full register are written once, however much is read', async () => {
    for (const crowd of [small, large]) {
      // The versions of blocks are written once.
      await openQueue(crowd.user)
      const { written } = await costOf(crowd, () => openQueue(crowd.user))
      expect(written).toBe(1)
    }
  })

  it('of a message are 7 with trimming of the log, and 8 with an Idempotency-Key', async () => {
    const MESSAGES = 20
    for (const crowd of [small, large]) {
      const keepHouse = () => inRealm(crowd.realm, ({ parts }) => parts.housekeeping.run(parts))
      const sendAll = async (fields: (count: number) => Fields) => {
        for (let count = 0; count < MESSAGES; count += 1) {
          await send(crowd, fields(count))
          // One by one, so that no two of them share a batch to D1.
          await settled(crowd.realm)
        }
        await keepHouse()
      }
      await inRealm(crowd.realm, ({ parts }) => parts.sql.run('DELETE FROM queue'))
      await keepHouse()
      await sendAll(() => ({}))
      const plain = await costOf(crowd, () => sendAll(() => ({})))
      const keyed = await costOf(crowd, () =>
        sendAll((count) => ({ queue_id: crowd.queue.id, local_id: `trimmed ${count}` })),
      )
      // Each time there is one further row for the log's position, and two for D1's.
      expect([plain.written, keyed.written]).toEqual([7 * MESSAGES + 3, 8 * MESSAGES + 3])
      expect(await inRealm(crowd.realm, ({ parts }) => logLength(parts))).toBeLessThanOrEqual(MESSAGES + 1)
    }
  })

  it('of a whole topic’s move are fixed, and two for each policy', async () => {
    const costs = await Promise.all([small, large].map(costsOfMoves))
    expect(costs[1]).toEqual(costs[0])
    expect(costs[0]).toEqual({
      // The move and the topic, each with an index entry, and the event.
      renamed: 5,
      // The same, and the notice.
      resolved: 5 + WHOLE_ROWS['a channel message'],
      // Five policies of two kinds: one event for all that the former name has none, and one for each kind.
      renamedWithPolicies: 5 + 2 * 5 + 3,
    })
  })

  it('of an idle log are deleted by the next housekeeping, except the newest', async () => {
    const { realm } = small
    const lengths = await inRealm(realm, ({ parts }) => {
      parts.housekeeping.run(parts)
      parts.housekeeping.run(parts)
      return logLength(parts)
    })
    expect(lengths).toBe(1)
  })

  it('reported for an RPC are those of its own statements', async () => {
    const { realm, channel } = small
    const { email, apiKey } = realm.owner
    const message = { type: 'stream', to: channel.name, topic: 'rows', content: 'x' }
    const answer = await inRealm(realm, (object) =>
      object.call({
        host: realm.host,
        operation: 'send-message',
        credentials: { kind: 'basic', email, apiKey },
        parameters: { ok: true, value: message },
        source: { origin: `http://${realm.host}`, userAgent: 'ParleyTest/1.0', ip: '' },
      }),
    )
    expect(answer).toMatchObject({ outcome: { ok: true }, rows: { written: 4 } })
  })
})
