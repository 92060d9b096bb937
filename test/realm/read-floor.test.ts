import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { realmStub } from '../support/api.ts'
import {
  buildChannel,
  buildUser,
  expectSuccess,
  type TestRealm,
  type TestUser,
} from '../support/factories.ts'
import { insertInIndex } from '../support/inserted-messages.ts'
import { inRealm } from '../support/inside.ts'
import { sendTo } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { openQueue, type TestQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })
neverEvict()

async function readFloor(user: TestUser): Promise<number> {
  return runInDurableObject(realmStub(realm.id), (_object, state) => {
    const [row] = state.storage.sql
      .exec<{ read_floor: number }>(`SELECT read_floor FROM user WHERE id = ?`, user.id)
      .toArray()
    return row!.read_floor
  })
}

describe('the read floor', () => {
  it('rises at registration to the newest message, without changing what is unread', async () => {
    const channel = await buildChannel([ann, ben])
    const send = async () =>
      expectSuccess(
        await ann.api.post('/messages', { type: 'channel', to: channel.id, topic: 't', content: 'x' }),
      ).id as number
    const read = await send()
    expectSuccess(await ben.api.post('/mark_all_as_read'))
    // Advances the ids as if many messages had come and gone in between.
    await runInDurableObject(realmStub(realm.id), (_object, state) => {
      state.storage.sql.exec(`INSERT OR REPLACE INTO meta (key, value) VALUES ('message_id_floor', 10000)`)
    })
    const unread = [await send(), await send()]
    expect(await readFloor(ben)).toBeLessThan(5_000)
    const first = await openQueue(ben)
    expect(await readFloor(ben)).toBe(unread[1])
    const second = await openQueue(ben)
    for (const { snapshot } of [first, second]) {
      const [topic] = snapshot.unread_msgs.streams.filter((one: { topic: string }) => one.topic === 't')
      expect(topic.unread_message_ids).toEqual(unread)
    }
    const { message } = expectSuccess(await ben.api.get(`/messages/${read}`))
    expect(message.flags).toContain('read')
  })

  it('keeps reads cheap, however old the unread messages are', async () => {
    const MESSAGES = 12_000
    const carol = await buildUser(realm)
    const [loud, muted] = [await buildChannel([ann, carol]), await buildChannel([ann, carol])]
    expectSuccess(await carol.api.post('/mark_all_as_read'))
    const old = await sendTo(ann, muted.id, 'old', 'still unread')
    const loudIds = { channelId: loud.id, topic: 'loud', count: MESSAGES }
    const first = await insertInIndex(realm, ann, loudIds)
    // One by one, as clients do it, so the floor stays where it is.
    for (let at = 0; at < MESSAGES; at += 4_000) {
      const messages = Array.from({ length: 4_000 }, (_, index) => first + at + index)
      expectSuccess(await carol.api.post('/messages/flags', { messages, op: 'add', flag: 'read' }))
    }
    expectSuccess(
      await carol.api.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: muted.id, property: 'is_muted', value: true }],
      }),
    )
    const unreadIn = ({ snapshot }: TestQueue) =>
      snapshot.unread_msgs.streams.filter((one: { topic: string }) => one.topic === 'old')
    const expected = [{ stream_id: muted.id, topic: 'old', unread_message_ids: [old] }]
    expect(unreadIn(await openQueue(carol))).toEqual(expected)
    const registering = await rowsRead(realm, async () => {
      expect(
        unreadIn(await openQueue(carol, { fetch_event_types: ['message', 'update_message_flags'] })),
      ).toEqual(expected)
    })
    expect(registering).toBeLessThan(200)
    const { anchor } = expectSuccess(
      await carol.api.get('/messages', { anchor: 'first_unread', num_before: 0, num_after: 0 }),
    )
    for (const [asked, narrow] of [
      ['newest', [['is', 'unread']]],
      ['oldest', [['is', 'unread']]],
      [String(first + 5_000), [['is', 'unread']]],
      [
        'first_unread',
        [
          ['channel', muted.name],
          ['is', 'unread'],
        ],
      ],
    ] as const) {
      const reading = await rowsRead(realm, async () => {
        const page = { anchor: asked, num_before: 50, num_after: 50, narrow }
        const { messages } = expectSuccess(await carol.api.get('/messages', page))
        expect(messages.map(({ id }: { id: number }) => id)).toEqual([old])
      })
      expect(reading).toBeLessThan(200)
    }
    // All unread messages are muted.
    expect(anchor).toBe(10_000_000_000_000_000)
  })
})

/** Returns the rows that the realm object reads while `act` runs. */
async function rowsRead(of: TestRealm, act: () => Promise<void>): Promise<number> {
  const total = () => inRealm(of, ({ parts }) => parts.sql.counts.read)
  const before = await total()
  await act()
  return (await total()) - before
}
