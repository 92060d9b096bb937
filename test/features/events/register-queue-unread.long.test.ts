import { beforeAll, describe, expect, it } from 'vitest'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { inRealm } from '../../support/inside.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { useRealm } from '../../support/use-realm.ts'
import { inWatchedSlices } from '../../support/watched-slices.ts'

/** More messages than one turn finds, in channels and below the floor. */
const COUNT = 5_000
const TINY = 100
const ENDLESS = 1_000_000

neverEvict()
const { realm, ben, hall, cellar } = useRealm(
  { ben: 'member' },
  { channels: { hall: ['owner', 'ben'], cellar: ['owner', 'ben'] } },
)
let ids: number[]

beforeAll(async () => {
  expectSuccess(await ben.api.post('/mark_all_as_read'))
  ids = []
  for (const { id: channelId } of [hall, cellar]) {
    const first = await insertInIndex(realm, realm.owner, { channelId, topic: 'long', count: COUNT })
    ids.push(...Array.from({ length: COUNT }, (_, at) => first + at))
  }
  await sendDirect(realm.owner, [ben], 'for you')
})

/**
 * Asks for a registration, while the object remembers no messages if nothing else is said, and does something in each turn besides the last.
 * `rowsOfTurn`: limit of the rows of one turn.
 */
async function answerTo(
  user: TestUser,
  rowsOfTurn: number,
  during: (turn: number) => Promise<unknown>,
  { isForgotten = true } = {},
) {
  await inRealm(realm, ({ parts: { readings, sql } }) => {
    if (isForgotten) sql.watch.forget()
    readings.limits = { ...readings.limits, rowsOfTurn }
  })
  const types = { fetch_event_types: ['message', 'update_message_flags'] }
  const { answer } = await inWatchedSlices(realm, () => user.api.post('/register', types), during)
  return answer
}

/** Registers in this way; returns the answer, the number of turns besides the last, and the rows that the last has read. */
async function register(
  user: TestUser,
  rowsOfTurn: number,
  during: (turn: number) => Promise<unknown> = async () => {},
) {
  let [turns, before] = [0, 0]
  const read = () => inRealm(realm, ({ parts }) => parts.sql.counts.read)
  const answer = await answerTo(user, rowsOfTurn, async (turn) => {
    turns = turn
    await during(turn)
    before = await read()
  })
  const rows = (await read()) - before
  return { unread: expectSuccess(answer).unread_msgs as Record<string, unknown>, turns, rows }
}

/** The order of topics means nothing. */
function inOrder({ streams, ...others }: Record<string, unknown>) {
  const listed = streams as { unread_message_ids: number[] }[]
  return {
    ...others,
    streams: listed.toSorted((a, b) => a.unread_message_ids[0]! - b.unread_message_ids[0]!),
  }
}

const inOneTurn = async () => (await register(ben, ENDLESS)).unread
const idsOf = ({ streams }: Record<string, unknown>) =>
  (streams as { unread_message_ids: number[] }[])
    .flatMap(({ unread_message_ids }) => unread_message_ids)
    .sort((a, b) => a - b)
const flag = (op: string, messages: number[]) =>
  ben.api.post('/messages/flags', { messages, op, flag: 'read' })

describe('unread messages that are more than one turn looks at', () => {
  it('are all there, whether or not the floor was raised before', async () => {
    const first = await register(ben, TINY)
    expect(first.turns).toBeGreaterThan(2)
    expect(idsOf(first.unread)).toEqual(ids)
    const settled = await register(ben, TINY)
    expect(settled.turns).toBeGreaterThan(2)
    expect(settled.unread).toEqual(first.unread)
    expect(await inOneTurn()).toEqual(first.unread)
  })

  it('leave what registrations have in common remembered', async () => {
    const size = () => inRealm(realm, ({ parts }) => parts.sql.watch.values.bytes)
    expectSuccess(await realm.owner.api.post('/register', {}))
    const before = await size()
    expect(before).toBeGreaterThan(0)
    const during: number[] = []
    await answerTo(ben, TINY, async () => during.push(await size()), { isForgotten: false })
    expect(Math.min(...during)).toBeGreaterThanOrEqual(before)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['nothing', async () => {}],
    ['some are read', () => flag('add', [ids[0]!, ids[COUNT]!])],
    ['they are unread again', () => flag('remove', [ids[0]!])],
    ['others come', () => sendTo(realm.owner, hall.id, 'short', 'hello')],
    ['one mentions the reader', () => sendTo(realm.owner, cellar.id, 'short', `@**${ben.fullName}**`)],
    ['one is deleted', () => realm.owner.api.delete(`/messages/${ids[7]!}`)],
    ['one is moved', () => realm.owner.api.patch(`/messages/${ids[8]!}`, { topic: 'elsewhere' })],
    [
      'the reader leaves a channel',
      () => ben.api.delete('/users/me/subscriptions', { subscriptions: [cellar.name] }),
    ],
    [
      'the reader comes back',
      () => ben.api.post('/users/me/subscriptions', { subscriptions: [{ name: cellar.name }] }),
    ],
    ['all are read', () => ben.api.post('/mark_all_as_read')],
  ])('are those of the moment of the answer when meanwhile %s', async (_, change) => {
    await flag('remove', ids.slice(100, 2_100))
    const { unread, turns } = await register(ben, TINY, async (turn) => {
      if (turn === 2) await change()
    })
    expect(turns).toBeGreaterThan(1)
    expect(inOrder(unread)).toEqual(inOrder(await inOneTurn()))
  })

  it('follow what changes in every turn, without being listed in one', async () => {
    await flag('remove', ids.slice(100, 2_100))
    const elsewhere = { topic: 'moved away', send_notification_to_new_thread: false }
    const { unread, turns, rows } = await register(ben, TINY, async (turn) => {
      await flag('add', [ids[100 + turn]!])
      await flag('remove', [ids[5_000 + turn]!])
      await realm.owner.api.patch(`/messages/${ids[1_000 + turn]!}`, elsewhere)
      await sendTo(realm.owner, hall.id, `new ${turn}`, `@**${ben.fullName}**`)
    })
    expect(turns).toBeLessThan(100)
    // The changes of the last turns alone are read again.
    expect(rows).toBeLessThan(COUNT / 2)
    expect(inOrder(unread)).toEqual(inOrder(await inOneTurn()))
    expect(inOrder((await register(ben, TINY)).unread)).toEqual(inOrder(unread))
  })

  it('are refused with 503 when all of them change again and again', async () => {
    await flag('remove', ids.slice(100, 2_100))
    let turns = 0
    const answer = await answerTo(ben, TINY, async (turn) => {
      turns = turn
      if (turn % 2 === 1) await ben.api.delete('/users/me/subscriptions', { subscriptions: [cellar.name] })
      else await ben.api.post('/users/me/subscriptions', { subscriptions: [{ name: cellar.name }] })
    })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('Retry-After')).toBe('1')
    expect(turns).toBeLessThan(1_000)
    expect(inOrder((await register(ben, TINY)).unread)).toEqual(inOrder(await inOneTurn()))
  })

  it('are read in several turns if they span more topics than one turn reads', async () => {
    expectSuccess(await ben.api.post('/mark_all_as_read'))
    const found: number[] = []
    for (let at = 0; at < 60; at += 1) {
      found.push(
        await insertInIndex(realm, realm.owner, { channelId: hall.id, topic: `topic ${at}`, count: 1 }),
      )
    }
    // Its floor is raised, and its messages are remembered.
    await register(ben, ENDLESS)
    let turns = 0
    const again = await answerTo(
      ben,
      50,
      async (turn) => {
        turns = turn
        if (turn === 3) await realm.owner.api.patch(`/messages/${found[7]!}`, { topic: 'another name' })
      },
      { isForgotten: false },
    )
    expect(turns).toBeGreaterThan(2)
    const unread = expectSuccess(again).unread_msgs
    expect(idsOf(unread)).toEqual(expect.arrayContaining(found))
    expect(inOrder(unread)).toEqual(inOrder(await inOneTurn()))
  })
})
