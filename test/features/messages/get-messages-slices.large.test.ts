import { beforeAll, describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { expectSuccess } from '../../support/factories.ts'
import { insertMessages } from '../../support/inserted-messages.ts'
import { addChannels, changeRealm, inRealm, subscribe } from '../../support/inside.ts'
import { MESSAGES_AT_ONCE } from '../../support/limits.ts'
import { sendTo } from '../../support/messages.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { useRealm } from '../../support/use-realm.ts'
import { inWatchedSlices } from '../../support/watched-slices.ts'

/** In each of two channels: together more than two answers of the object hold. */
const COUNT = MESSAGES_AT_ONCE + 100
const CHANNELS = 50

neverEvict()
const { realm, ben, hall, cellar } = useRealm(
  { ben: 'member' },
  { channels: { hall: ['owner', 'ben'], cellar: ['owner', 'ben'] } },
)
let ids: number[]

beforeAll(async () => {
  ids = []
  for (const { id: channelId } of [hall, cellar]) {
    ids.push(
      ...(await insertMessages(realm, realm.owner, { channelId, topic: 'long', count: COUNT, length: 20 })),
    )
  }
  expectSuccess(await realm.owner.api.patch(`/streams/${cellar.id}`, { is_private: true }))
})

interface Fetched {
  readonly messages: { id: number; content: string; flags: string[] }[]
  readonly found: Record<string, unknown>
  /** Number of turns besides the last, and the most rows that one of all has read. */
  readonly turns: number
  readonly most: number
}

const EVERYTHING = { anchor: 'newest', num_before: 5_000, num_after: 0 }

/** Fetches messages while nothing is remembered, with `rowsOfTurn`; `during` acts in each turn besides the last, by their number from 1. */
async function fetchAll(
  rowsOfTurn: number,
  during: (turn: number) => Promise<unknown> = async () => {},
  window: Record<string, ParameterValue> = EVERYTHING,
): Promise<Fetched> {
  await inRealm(realm, ({ parts: { readings, sql } }) => {
    sql.watch.forget()
    readings.limits = { ...readings.limits, rowsOfTurn }
  })
  const { answer, ...watched } = await inWatchedSlices(realm, () => ben.api.get('/messages', window), during)
  const { messages, ...found } = expectSuccess(answer)
  return { messages, found, ...watched }
}

const ENDLESS = 1_000_000
const idsOf = ({ messages }: Fetched) => messages.map(({ id }) => id)
const leave = (user: typeof ben, name: string) =>
  user.api.delete('/users/me/subscriptions', { subscriptions: [name] })

describe('a page of thousands', () => {
  it('looks up the channels of its messages in a few statements', async () => {
    const names = Array.from({ length: CHANNELS }, (_, at) => `channel ${at}`)
    const channelIds = await addChannels(realm, names)
    await changeRealm(realm, (tx) => {
      for (const id of channelIds) subscribe(tx, id, [ben.id], '#c2c2c2')
    })
    for (const channelId of channelIds) {
      await insertMessages(realm, realm.owner, { channelId, topic: 'short', count: 1, length: 20 })
    }
    const newest = { ...EVERYTHING, num_before: CHANNELS }
    const { messages } = await fetchAll(ENDLESS, undefined, newest)
    const statements = () => inRealm(realm, ({ parts }) => parts.sql.statements)
    const before = await statements()
    expect(expectSuccess(await ben.api.get('/messages', newest)).messages).toEqual(messages)
    expect((await statements()) - before).toBeLessThan(CHANNELS)
  })

  it('has the messages of several periods of membership, from both ends', async () => {
    const received: number[] = []
    const send = async (isReceived: boolean) => {
      for (const topic of ['one', 'two']) {
        const id = await sendTo(realm.owner, cellar.id, topic)
        if (isReceived) received.push(id)
      }
    }
    for (let times = 0; times < 3; times += 1) {
      await send(true)
      expectSuccess(await leave(ben, cellar.name))
      await send(false)
      const join = { subscriptions: [{ name: cellar.name }], principals: [ben.id] }
      expectSuccess(await realm.owner.api.post('/users/me/subscriptions', join))
    }
    await send(true)
    const inOne = received.filter((_, at) => at % 2 === 0)
    for (const [narrow, expected] of [
      [[{ operator: 'sender', operand: realm.owner.id }], received],
      [[{ operator: 'topic', operand: 'one' }], inOne],
    ] as const) {
      const from = { narrow, num_before: 0, num_after: 0 }
      const older = { ...from, anchor: 'newest', num_before: expected.length }
      const newer = { ...from, anchor: expected[0]!, num_after: expected.length }
      for (const window of [older, newer]) {
        expect(idsOf(await fetchAll(ENDLESS, undefined, window))).toEqual(expected)
        expect(idsOf(await fetchAll(5, undefined, window))).toEqual(expected)
      }
    }
  })

  it('of messages by their ids has those of a narrow alone', async () => {
    const wanted = { message_ids: [...ids].reverse(), narrow: [{ operator: 'channel', operand: cellar.id }] }
    expect(idsOf(await fetchAll(ENDLESS, undefined, wanted))).toEqual(ids.slice(COUNT))
  })

  it('has its anchor only if it is asked for', async () => {
    const beside = { anchor: ids[5]!, num_before: 0, num_after: 5_000 }
    const without = await fetchAll(200, undefined, { ...beside, include_anchor: false })
    expect(idsOf(without)[0]).toBe(ids[6])
    const withIt = await fetchAll(200, undefined, { ...beside, include_anchor: true })
    expect(idsOf(withIt)[0]).toBe(ids[5])
  })
})
