import { describe, expect, it } from 'vitest'
import { COUNTED_KEPT, MEMORY_OF_SLOT } from '../../src/core/budgets.ts'
import { PresenceMemory } from '../../src/model/presence/presence-memory.ts'
import { RateLimiter } from '../../src/realm/calls/rate-limiter.ts'
import { expectSuccess } from '../support/factories.ts'
import { changeRealm, inRealm } from '../support/inside.ts'
import { QUOTAS, STREAM_MESSAGES } from '../support/limits.ts'
import { buildRealm } from '../support/use-realm.ts'

describe('the memory of rate limits', () => {
  it('has a limit of addresses, and drops those unused longest', () => {
    const limiter = new RateLimiter()
    const limits = [{ requests: 2, seconds: 60 }]
    const ask = (key: string) => limiter.count('anonymous', key, limits, 1_000)
    ask('patient')
    for (let address = 0; address < COUNTED_KEPT.callers - 1; address += 1) ask(`address ${address}`)
    ask('patient')
    expect(() => ask('patient')).toThrow()
    ask('one more')
    expect(limiter.size).toBe(COUNTED_KEPT.callers)
    // The oldest entry is gone, the one that was used again is not.
    expect(() => ask('patient')).toThrow()
    expect(ask('address 0').remaining).toBe(1)
  })

  it('has what counts of a bucket, and no more', () => {
    const limiter = new RateLimiter()
    const limits = [
      { requests: 3, seconds: 60 },
      { requests: 5, seconds: 600 },
    ]
    const counted: number[] = []
    const pauses = [0, 10, 25, 70, 5, 300, 1, 1, 1, 1, 599]
    let now = 1_000
    let refused = 0
    for (let request = 0; request < 200; request += 1) {
      now += pauses[request % pauses.length]!
      const since = (seconds: number) => counted.filter((at) => at > now - seconds)
      const left = limits.map(({ requests, seconds }) => requests - since(seconds).length)
      if (Math.min(...left) > 0) {
        expect(limiter.count('user', 7, limits, now).remaining).toBe(Math.min(...left) - 1)
        counted.push(now)
      } else {
        expect(() => limiter.count('user', 7, limits, now)).toThrow()
        refused += 1
      }
      expect(limiter.remembered).toBe(since(600).length)
    }
    expect(Math.min(refused, counted.length)).toBeGreaterThan(20)
  })

  it('forgets what was counted by a clock that has been set back since', () => {
    const limiter = new RateLimiter()
    const limits = [{ requests: 2, seconds: 60 }]
    for (const now of [5_000, 5_001]) limiter.count('user', 7, limits, now)
    expect(() => limiter.count('user', 7, limits, 5_002)).toThrow()
    expect(limiter.count('user', 7, limits, 1_400).remaining).toBe(1)
    expect(limiter.remembered).toBe(1)
  })
})

it('a stream may say something again after the clock was set back', async () => {
  const { realm } = await buildRealm()
  const said = await inRealm(realm, ({ parts: { polls } }) => {
    const now = Date.now()
    for (let count = 0; count < STREAM_MESSAGES.count; count += 1) polls.maySay(1, now)
    return [polls.maySay(1, now), polls.maySay(1, now - 3_600_000)]
  })
  expect(said).toEqual([false, true])
})

it('the presence of the maximum number of accounts fits its budget', () => {
  const accounts = QUOTAS.accounts.organization!
  const now = 2_000_000_000
  const stored = Array.from({ length: accounts }, (_, at) => ({
    userId: at + 1,
    activeAt: now + at,
    connectedAt: now + at,
    updateId: 1_000 * (now + at),
  }))
  const memory = new PresenceMemory(stored as ConstructorParameters<typeof PresenceMemory>[0])
  expect(memory.all()).toHaveLength(accounts)
  // An object of four numbers and its place in a map take two and a half times its text.
  expect(2.5 * JSON.stringify(memory.all()).length).toBeLessThan(MEMORY_OF_SLOT.presence)
})

it('only a limited number of client names are distinguished', async () => {
  const { realm, owner, channel } = await buildRealm({}, { channels: { channel: ['owner'] } })
  const sentBy = async (name: string) => {
    const sent = { type: 'channel', to: channel.id, topic: 'x', content: 'x' }
    const headers = { 'User-Agent': `${name}/1.0` }
    const { id } = expectSuccess(await owner.api.request('POST', '/messages', sent, { headers }))
    return expectSuccess(await owner.api.get(`/messages/${id}`)).message.client
  }
  expect(await sentBy('First')).toBe('First')
  await changeRealm(realm, ({ sql }) =>
    sql.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
       INSERT INTO client (name) SELECT 'made up ' || i FROM n`,
    ),
  )
  expect(await sentBy('Another')).toBe('Unspecified')
  expect(await sentBy('First')).toBe('First')
})
