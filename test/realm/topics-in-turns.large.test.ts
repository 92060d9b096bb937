import { beforeAll, describe, expect, it } from 'vitest'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { insertManyTopics } from '../support/inserted-messages.ts'
import { inRealm } from '../support/inside.ts'
import { sendTo } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useRealm } from '../support/use-realm.ts'
import { inWatchedSlices } from '../support/watched-slices.ts'

// The object that lists them is the one whose turns are watched.
neverEvict()
/** More topics than one turn reads. */
const MANY = 5_200
const { realm, owner, ann, ben, hall, cellar } = useRealm(
  { ann: 'member', ben: 'member' },
  {
    channels: {
      hall: ['owner', 'ann'],
      cellar: {
        subscribers: ['owner', 'ann', 'ben'],
        invite_only: true,
        history_public_to_subscribers: false,
      },
    },
  },
)

interface Topic {
  readonly name: string
  readonly max_id: number
}

const insertTopics = (channelId: number, prefix: string) =>
  insertManyTopics(realm, owner, { channelId, prefix, count: MANY })

let inHall: number
let inCellar: number
let inGap: number
beforeAll(async () => {
  inHall = await insertTopics(hall.id, 'Topic ')
  inCellar = await insertTopics(cellar.id, 'Old ')
  const own = { subscriptions: [cellar.name] }
  expectSuccess(await ben.api.delete('/users/me/subscriptions', own))
  inGap = await insertTopics(cellar.id, 'While Ben was away ')
  const back = { subscriptions: [{ name: cellar.name }], principals: [ben.id] }
  expectSuccess(await owner.api.post('/users/me/subscriptions', back))
})

/** Lists topics over HTTP, and does something in each turn besides the last. */
async function listed(user: TestUser, channelId: number, during: (turn: number) => Promise<unknown>) {
  const ask = () => user.api.get(`/users/me/${channelId}/topics`, { allow_empty_topic_name: true })
  const { answer, ...watched } = await inWatchedSlices(realm, ask, during)
  return { topics: expectSuccess(answer).topics as Topic[], ...watched }
}

/** Returns the same, read anew with nothing in between. */
async function atRest(user: TestUser, channelId: number): Promise<Topic[]> {
  await inRealm(realm, ({ parts }) => parts.sql.watch.forget())
  return (await listed(user, channelId, async () => {})).topics
}

const move = (id: number, fields: object) =>
  owner.api.patch(`/messages/${id}`, { send_notification_to_new_thread: false, ...fields })

describe('topics of a channel that are more than one turn reads', () => {
  it('are listed in several turns, the one with the newest message first', async () => {
    const { topics, turns, most } = await listed(ann, hall.id, async () => {})
    expect(turns).toBeGreaterThan(1)
    expect(most).toBeLessThan(16_000)
    const entered = topics.filter(({ name }) => name.startsWith('Topic '))
    expect(entered).toHaveLength(MANY)
    expect(entered[0]).toEqual({ name: `Topic ${MANY}`, max_id: inHall + MANY - 1 })
    expect(topics).toEqual(await atRest(ann, hall.id))
  })

  const places = [hall, cellar]
  it.each<[string, () => Promise<unknown>]>([
    [
      'messages come, in known topics and new ones',
      async () => {
        await sendTo(owner, hall.id, 'TOPIC 7', 'hello')
        await sendTo(owner, hall.id, 'a new topic', 'hello')
      },
    ],
    [
      'a topic gets another name, and then another',
      async () => {
        expectSuccess(await move(inHall + 9, { topic: 'zz', propagate_mode: 'change_all' }))
        expectSuccess(await move(inHall + 9, { topic: 'aa', propagate_mode: 'change_all' }))
      },
    ],
    [
      'a topic is moved into another',
      () => move(inHall + 19, { topic: 'topic 30', propagate_mode: 'change_all' }),
    ],
    [
      'a topic goes to another channel, and one comes',
      async () => {
        // The next time they go back.
        places.reverse()
        const [first, second] = places
        expectSuccess(await move(inHall + 39, { stream_id: first!.id, propagate_mode: 'change_all' }))
        expectSuccess(await move(inCellar + 49, { stream_id: second!.id, propagate_mode: 'change_all' }))
      },
    ],
    ['the only message of a topic is deleted', () => owner.api.delete(`/messages/${inHall + 59}`)],
    ['an edit changes no topic', () => move(inHall + 69, { content: 'another text' })],
  ])('are those of the moment of the answer when meanwhile %s', async (_, change) => {
    for (const at of [1, 2, 3]) {
      const { topics, turns } = await listed(ann, hall.id, async (turn) => {
        if (turn === at) await change()
      })
      expect(turns).toBeLessThan(10)
      expect(topics).toEqual(await atRest(ann, hall.id))
    }
  })

  it('are refused when the reader may not read the channel any more', async () => {
    const asked = listed(ben, cellar.id, async (turn) => {
      if (turn === 1) await ben.api.delete('/users/me/subscriptions', { subscriptions: [cellar.name] })
    })
    await expect(asked).rejects.toThrow('Invalid channel ID')
    const back = { subscriptions: [{ name: cellar.name }], principals: [ben.id] }
    expectSuccess(await owner.api.post('/users/me/subscriptions', back))
  })

  it('in protected history are those in which the reader has a message, in several turns', async () => {
    const { topics, turns, most } = await listed(ben, cellar.id, async (turn) => {
      if (turn === 2) await sendTo(owner, cellar.id, 'While Ben was away 5', 'hello')
      if (turn === 4) await owner.api.delete(`/messages/${inCellar + 5}`)
      if (turn === 5)
        await move(inCellar + 6, { topic: 'While Ben was away 8', propagate_mode: 'change_all' })
    })
    expect(turns).toBeGreaterThan(5)
    expect(most).toBeLessThan(16_000)
    expect(topics).toEqual(await atRest(ben, cellar.id))
    const names = new Set(topics.map(({ name }) => name))
    expect(names.has('While Ben was away 5')).toBe(true)
    expect(names.has('While Ben was away 6')).toBe(false)
    expect(names.has('Old 4')).toBe(true)
    expect(inGap).toBeGreaterThan(inCellar)
  })
})
