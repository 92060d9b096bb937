import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { countRows } from '../../support/counted-rows.ts'
import { expectSuccess } from '../../support/factories.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { sendTo } from '../../support/messages.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)
const DAY = 86_400
const noon = Date.UTC(2040, 0, 10, 12) / 1_000

/** One message at noon of each of five days; the second and fourth are of the topic `gates`. */
let sent: number[]
beforeAll(async () => {
  sent = []
  for (let day = 0; day < 5; day += 1) {
    world.clockOffset = noon + day * DAY - Math.floor(Date.now() / 1_000)
    sent.push(await sendTo(ann, channel.id, day % 2 === 1 ? 'gates' : 'walls'))
  }
  world.clockOffset = 0
})
afterEach(() => {
  world.clockOffset = 0
})

const narrow = (topic?: string) => [
  { operator: 'channel', operand: channel.id },
  ...(topic === undefined ? [] : [{ operator: 'topic', operand: topic }]),
  { operator: 'sender', operand: ann.id },
]
async function around(anchor_date: string, params: Record<string, ParameterValue> = {}) {
  const answer = expectSuccess(
    await ben.api.get('/messages', {
      anchor: 'date',
      anchor_date,
      num_before: 1,
      num_after: 1,
      narrow: narrow(),
      ...params,
    }),
  )
  const { messages, anchor, found_anchor, found_oldest, found_newest } = answer
  return [messages.map(({ id }: { id: number }) => id), anchor, found_anchor, found_oldest, found_newest]
}

describe('the anchor date', () => {
  it.each([
    ['2040-01-12'],
    ['2040-01-12T12:00'],
    ['2040-01-12T12:00:00Z'],
    ['2040-01-12 11:59:59.5'],
    ['2040-01-12T14:00:00+02:00'],
    ['2040-01-12T07:00:00-0500'],
  ])('is the first message of that moment or later, however it is written', async (date) => {
    const [, second, third, fourth] = sent
    expect(await around(date)).toEqual([[second, third, fourth], third, true, false, false])
  })

  it('is the next message, even a millisecond later', async () => {
    const [, , third, fourth, fifth] = sent
    // A send may take a second or more.
    const { message } = expectSuccess(await ben.api.get(`/messages/${third}`))
    const later = new Date(message.timestamp * 1_000 + 1).toISOString()
    expect(later).toMatch(/^2040-01-12T12:0/)
    expect(await around(later)).toEqual([[third, fourth, fifth], fourth, true, false, false])
  })

  it('before all messages is the oldest, and after all the newest end', async () => {
    expect(await around('1999-12-31')).toEqual([sent.slice(0, 2), sent[0], true, true, false])
    expect(await around('2999-01-01')).toEqual([[sent[4]], 10_000_000_000_000_000, false, false, true])
  })

  it('is one of the narrow, also of one that searches', async () => {
    const [, second, , fourth] = sent
    const topic = [[second, fourth], fourth, true, false, true]
    expect(await around('2040-01-12', { narrow: narrow('gates'), num_before: 1 })).toEqual(topic)
    const search = [...narrow('gates'), { operator: 'search', operand: 'hello' }]
    expect(await around('2040-01-12', { narrow: search })).toEqual(topic)
  })

  it('can be left out of the page, and changes flags in a narrow', async () => {
    const [, , third, fourth] = sent
    expect((await around('2040-01-12', { include_anchor: false, num_before: 0 }))[0]).toEqual([fourth])
    const result = expectSuccess(
      await ben.api.post('/messages/flags/narrow', {
        anchor: 'date',
        anchor_date: '2040-01-12',
        num_before: 0,
        num_after: 0,
        narrow: narrow(),
        op: 'add',
        flag: 'starred',
      }),
    )
    expect(result).toMatchObject({ processed_count: 1, first_processed_id: third })
  })

  it('reads some rows, however many messages there are', async () => {
    world.clockOffset = noon + 10 * DAY - Math.floor(Date.now() / 1_000)
    await insertInIndex(realm, ann, { channelId: channel.id, topic: 'many', count: 20_000 })
    const { object } = await countRows(ben.api, 'GET', '/messages', {
      anchor: 'date',
      anchor_date: '2040-01-12',
      num_before: 1,
      num_after: 1,
      narrow: narrow(),
    })
    // An object that was evicted reads some to wake.
    expect(object.read).toBeLessThan(200)
  })
})

describe('a wrong date is refused', () => {
  const ask = (params: Record<string, string>) =>
    ben.api.get('/messages', {
      anchor: 'date',
      num_before: 1,
      num_after: 1,
      narrow: narrow('walls'),
      ...params,
    })

  it('when there is none', async () => {
    expectRefusal(await ask({}), "Missing 'anchor_date' argument.")
  })

  it.each([
    '',
    'yesterday',
    '2040',
    '2040-02-30',
    '2040-13-01',
    '2040-01-12T25:00',
    '12/01/2026',
    '1768219200',
  ])('such as %j', async (anchor_date) => {
    expectRefusal(await ask({ anchor_date }), 'Invalid anchor_date')
  })

  it('not with another anchor', async () => {
    expectSuccess(await ask({ anchor: 'newest', anchor_date: 'yesterday' }))
  })
})
