import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { runAlarms } from '../support/alarms.ts'
import type { ApiResponse } from '../support/api.ts'
import { evictRealm } from '../support/api.ts'
import { expectSuccess } from '../support/factories.ts'
import { inRealm } from '../support/inside.ts'
import { saveUsage } from '../support/inside-work.ts'
import { fromJson } from '../support/json.ts'
import { neverEvict } from '../support/never-evict.ts'
import { visit } from '../support/pages.ts'
import { openQueue } from '../support/queues.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)
neverEvict()
useReliableD1()
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  world.clockOffset = 0
  lift()
})

/** Ends all limits, as midnight does. */
function lift(): void {
  world.storage = () => {}
  world.reach = (call) => call()
  world.d1 = (call) => call()
}

const ofObjects = (what: string) => new Error(`Exceeded allowed ${what} in Durable Objects free tier.`)
const ofD1 = (what: string) =>
  new Error(
    `D1_ERROR: Your account has exceeded D1's free tier daily row ${what} limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue.`,
  )

const DAY = 86_400
const SPREAD = 300

function expectRefused({ status, body, headers }: ApiResponse): void {
  expect([status, body.code]).toEqual([503, 'DAILY_LIMIT_REACHED'])
  expect(body.msg).toContain('It goes on at 00:00 UTC.')
  const untilMidnight = DAY - ((Date.now() / 1_000) % DAY)
  const waits = Number(headers.get('retry-after')) - untilMidnight
  expect(waits).toBeGreaterThan(-60)
  expect(waits).toBeLessThan(SPREAD + 60)
}

let sent = 0
const acknowledged: string[] = []
async function send(): Promise<ApiResponse> {
  sent += 1
  const content = `message ${sent}`
  const answer = await ann.api.post('/messages', { type: 'stream', to: channel.id, topic: 'limits', content })
  if (answer.status === 200) acknowledged.push(content)
  return answer
}

/** Requests that read, change, or do both in several steps. */
const REQUESTS: Record<string, () => Promise<ApiResponse>> = {
  'a message': send,
  'a page of messages': () => {
    const narrow = [{ operator: 'channel', operand: channel.id }]
    return ben.api.get('/messages', { anchor: 'newest', num_before: 20, num_after: 0, narrow })
  },
  'a registration': () => ben.api.post('/register', { event_types: ['message', 'realm_user'] }),
  'a poll': () => ann.api.get('/events', { queue_id: queue.id, last_event_id: -1, dont_block: true }),
  'a report of presence': () => ben.api.post('/users/me/presence', { status: 'active' }),
  'a mark of reading': () => ben.api.post('/mark_all_as_read'),
  'a setting': () => ben.api.patch('/settings', { full_name: `Ben ${crypto.randomUUID().slice(0, 8)}` }),
  'a scheduled message': () =>
    ben.api.post('/scheduled_messages', {
      type: 'direct',
      to: [ann.id],
      content: 'in a year',
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + 365 * DAY,
    }),
  'what anybody may ask': () => realm.anonymous.get('/server_settings'),
}

let queue: Awaited<ReturnType<typeof openQueue>>
beforeAll(async () => {
  queue = await openQueue(ann, { event_types: ['message'], apply_markdown: false })
})

/** Counts the statements of a request, then makes it again and again, with all refused from a later one on. */
async function refuseFromEach(kind: 'read' | 'write', ask: () => Promise<ApiResponse>): Promise<number> {
  const what = kind === 'read' ? 'rows read' : 'rows written'
  let refused = 0
  for (let from = 1, isOver = false; !isOver; from += 1) {
    // Memory would answer for the store.
    await evictRealm(realm.id)
    let statements = 0
    isOver = true
    world.storage = (call) => {
      // Whoever may not read may not write either.
      if (kind === 'write' && call === 'read') return
      statements += 1
      if (statements < from) return
      isOver = false
      throw ofObjects(what)
    }
    const answer = await ask()
    if (answer.status === 200) expect(answer.body.result).toBe('success')
    else expectRefused(answer)
    refused += answer.status === 200 ? 0 : 1
    world.storage = () => {}
  }
  return refused
}

describe('while the rows of the objects are used up, from any statement on', () => {
  it.each(Object.entries(REQUESTS))('%s is answered, or refused until midnight', async (_, ask) => {
    await refuseFromEach('read', ask)
    await refuseFromEach('write', ask)
    expectSuccess(await ask())
  })

  it('nothing acknowledged is lost, and nothing comes twice', async () => {
    await refuseFromEach('write', send)
    expect(await refuseFromEach('read', send)).toBeGreaterThan(0)
    expectSuccess(await send())
    const heard = (await queue.eventsOf('message')).map(({ message }) => message.content as string)
    expect(new Set(heard).size).toBe(heard.length)
    expect(acknowledged.filter((content) => !heard.includes(content))).toEqual([])
  })
})

/** Makes all calls to objects fail. Returns their number. */
function failReaching(failure: () => Error): () => number {
  let calls = 0
  world.reach = () => {
    calls += 1
    return Promise.reject(failure())
  }
  return () => calls
}

describe('while the requests of the objects are used up', () => {
  it.each(['volume of requests', 'duration'])('each request asks once: %s', async (what) => {
    const calls = failReaching(() => ofObjects(what))
    for (const [at, ask] of Object.values(REQUESTS).entries()) {
      expectRefused(await ask())
      expect(calls()).toBe(at + 1)
    }
  })

  it('a poll is held before it is refused', async () => {
    const calls = failReaching(() => ofObjects('volume of requests'))
    world.pollHoldSeconds = 1
    const began = Date.now()
    expectRefused(await ann.api.get('/events', { queue_id: queue.id, last_event_id: queue.lastEventId }))
    expect(Date.now() - began).toBeGreaterThanOrEqual(990)
    expect(calls()).toBe(1)
  })
})

describe.each(['read', 'write'])('while rows that D1 may %s are used up', (what) => {
  it('messages are sent and read, and D1 is asked again after midnight alone', async () => {
    // The projection has not failed yet.
    await evictRealm(realm.id)
    await runAlarms(realm, 1)
    const asked: string[] = []
    world.d1 = (_, kind) => {
      asked.push(kind)
      return Promise.reject(ofD1(what))
    }
    const { id } = expectSuccess(await send())
    const { messages } = expectSuccess(await ben.api.get('/messages', { message_ids: [id] }))
    expect(messages).toMatchObject([{ content: `<p>message ${sent}</p>` }])
    await expect.poll(() => asked.filter((kind) => kind === 'batch').length).toBe(1)
    expectSuccess(await send())
    await runAlarms(realm, 3, 3_600)
    expect(asked.filter((kind) => kind === 'batch')).toHaveLength(1)
    world.d1 = (call) => call()
    await runAlarms(realm, 2, DAY)
    await inRealm(realm, ({ parts }) => expect(parts.projector.projected).toBe(parts.ids.last))
    expect(expectSuccess(await realm.owner.api.get('/dead_letters')).dead_letters).toEqual([])
  })

  it('what only D1 has is refused until midnight, after one question', async () => {
    let questions = 0
    world.d1 = () => {
      questions += 1
      return Promise.reject(ofD1(what))
    }
    expectRefused(
      await ben.api.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow: SEARCH }),
    )
    expect(questions).toBe(1)
  })
})

describe('while the account has spent what it may', () => {
  const spent = () => new Error("Exceeded the account's spending cap for Durable Objects")
  const expectSpent = ({ status, body, headers }: ApiResponse) => {
    expect([status, body.code]).toEqual([503, 'SPENDING_LIMIT_REACHED'])
    expect(body.msg).toContain('when the limit is raised')
    const wait = Number(headers.get('retry-after'))
    expect(wait).toBeGreaterThanOrEqual(3_600)
    expect(wait).toBeLessThanOrEqual(3_600 + SPREAD + 1)
  }

  it('requests are refused in words, after one question, and work afterwards', async () => {
    const calls = failReaching(spent)
    for (const [at, ask] of Object.values(REQUESTS).entries()) {
      expectSpent(await ask())
      expect(calls()).toBe(at + 1)
    }
    lift()
    expectSuccess(await send())
  })

  it('a woken object that may read nothing is refused, and jobs wait an hour', async () => {
    await evictRealm(realm.id)
    world.storage = (call) => {
      if (call !== 'alarm') throw spent()
    }
    expectSpent(await send())
    await runAlarms(realm, 1, 60)
    const alarm = await inRealm(realm, (_, { storage }) => storage.getAlarm())
    const inSeconds = (alarm ?? 0) / 1_000 - Date.now() / 1_000 - world.clockOffset
    expect(inSeconds).toBeGreaterThan(3_500)
    expect(inSeconds).toBeLessThanOrEqual(3_600 + SPREAD + 1)
    lift()
    expectSuccess(await send())
  })
})

/** Returns what the notification bot has written to the owner of a limit, and how they read it. */
async function toldOwner(what: RegExp): Promise<string[]> {
  const { messages } = expectSuccess(
    await realm.owner.api.get('/messages', {
      anchor: 'newest',
      num_before: 50,
      num_after: 0,
      narrow: [{ operator: 'is', operand: 'dm' }],
      apply_markdown: false,
    }),
  )
  return messages.map(({ content }: { content: string }) => content).filter((text: string) => what.test(text))
}

async function deepHealth() {
  const token = 'a-token-of-the-deployment'
  world.settings = { ...world.settings, HEALTH_TOKEN: token }
  const headers = { Authorization: `Bearer ${token}` }
  return fromJson((await visit(`http://${realm.host}/health?deep=1`, { headers })).text)
}

describe('owners', () => {
  it.each([
    ['free plan', () => ofObjects('volume of requests'), 'DAILY_LIMIT_REACHED'],
    ['may spend', () => new Error("Exceeded the account's spending cap"), 'SPENDING_LIMIT_REACHED'],
  ])('are told once, when it is over, since when objects refused: %s', async (words, failure, code) => {
    failReaching(failure)
    for (let time = 0; time < 5; time += 1) await send()
    lift()
    expectSuccess(await send())
    await inRealm(realm, ({ parts }) => saveUsage(parts))
    const told = await toldOwner(new RegExp(words))
    expect(told).toHaveLength(1)
    expect(told[0]).toMatch(/(?:at|from) <time:20[^>]+\+00:00>/)
    // A herd that is refused again on the same day changes nothing.
    failReaching(failure)
    for (let time = 0; time < 5; time += 1) await send()
    lift()
    expectSuccess(await send())
    await inRealm(realm, ({ parts }) => saveUsage(parts))
    expect(await toldOwner(new RegExp(words))).toEqual(told)
    const { organization } = await deepHealth()
    expect(organization.limit).toMatchObject({ code, refused: expect.any(Number) })
  })

  it('are told at once that D1 takes nothing, and the health says so', async () => {
    await inRealm(realm, ({ parts }) => parts.sql.run(`DELETE FROM meta WHERE key = 'limit_told'`))
    const before = (await toldOwner(/free plan/)).length
    await evictRealm(realm.id)
    await runAlarms(realm, 1)
    world.d1 = () => Promise.reject(ofD1('write'))
    expectSuccess(await send())
    await expect
      .poll(() => inRealm(realm, ({ parts }) => parts.limits.untold?.code))
      .toBe('DAILY_LIMIT_REACHED')
    await inRealm(realm, ({ parts }) => saveUsage(parts))
    expect((await deepHealth()).problems).toContain(`D1 cannot be reached. ${DAY_IS_USED_UP}`)
    const { status, text } = await visit(`http://${realm.host}/health`)
    expect([status, fromJson(text)]).toMatchObject([
      503,
      { code: 'DAILY_LIMIT_REACHED', msg: DAY_IS_USED_UP },
    ])
    lift()
    expect((await toldOwner(/free plan/)).length).toBe(before + 1)
  })
})

const DAY_IS_USED_UP =
  "This server has used up what Cloudflare's free plan allows for a day. It goes on at 00:00 UTC."

const SEARCH = [{ operator: 'search', operand: 'message' }]

describe('jobs', () => {
  it('wait for midnight while the rows are used up, and are done once then', async () => {
    world.clockOffset = 0
    const { scheduled_message_id } = expectSuccess(
      await ben.api.post('/scheduled_messages', {
        type: 'direct',
        to: [ann.id],
        content: 'in a minute',
        scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + 60,
      }),
    )
    expect(scheduled_message_id).toBeGreaterThan(0)
    world.storage = (call) => {
      if (call !== 'alarm') throw ofObjects('rows read')
    }
    for (const isAwake of [true, false]) {
      if (!isAwake) await evictRealm(realm.id)
      await runAlarms(realm, 1, 60)
      const alarm = await inRealm(realm, (_, { storage }) => storage.getAlarm())
      const sinceMidnight = ((alarm ?? 0) / 1_000) % DAY
      expect(alarm).toBeGreaterThan(Date.now())
      expect(sinceMidnight).toBeLessThanOrEqual(SPREAD + 1)
    }
    world.storage = () => {}
    // As at midnight, but early enough: nobody sends what is a day late.
    await runAlarms(realm, 1, 60)
    const { messages } = expectSuccess(
      await ann.api.get('/messages', {
        anchor: 'newest',
        num_before: 50,
        num_after: 0,
        narrow: [{ operator: 'dm', operand: [ben.id] }],
        apply_markdown: false,
      }),
    )
    const contents = messages.map(({ content }: { content: string }) => content)
    expect(contents.filter((content: string) => content === 'in a minute')).toHaveLength(1)
  })

  it('are armed after the next change where the alarm was refused', async () => {
    world.storage = (call) => {
      if (call === 'alarm') throw ofObjects('rows written')
    }
    const inAnHour = Math.floor(Date.now() / 1_000) + 3_600
    expectSuccess(
      await ben.api.post('/scheduled_messages', {
        type: 'direct',
        to: [ann.id],
        content: 'in an hour',
        scheduled_delivery_timestamp: inAnHour,
      }),
    )
    world.storage = () => {}
    expectSuccess(await send())
    await expect.poll(() => inRealm(realm, ({ parts }) => parts.alarm.isLost)).toBe(false)
    const alarm = await inRealm(realm, (_, { storage }) => storage.getAlarm())
    expect(alarm).toBeLessThanOrEqual(inAnHour * 1_000)
  })
})
