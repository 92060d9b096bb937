import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ApiResponse } from '../support/api.ts'
import { changeRealm, inRealm } from '../support/inside.ts'
import { RATE_LIMITS, type RateLimit } from '../support/limits.ts'
import { neverEvict } from '../support/never-evict.ts'
import { postForm } from '../support/pages.ts'
import { openQueue } from '../support/queues.ts'
import { useRealmPerTest } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const {
  user: [perUser],
  events: [perPoller],
  anonymous: [perAddress],
} = RATE_LIMITS

const { realm, member } = useRealmPerTest({ member: 'member' })
neverEvict()
beforeEach(() => {
  world.limited = true
})

/** Uses up a bucket except for the given number of requests. */
async function use(
  bucket: keyof typeof RATE_LIMITS,
  key: string | number,
  left: number,
  limits: readonly RateLimit[] = RATE_LIMITS[bucket],
) {
  await inRealm(realm, ({ parts }) => {
    while (parts.limiter.count(bucket, key, limits, parts.now()).remaining > left);
  })
}

const limits = ({ headers }: ApiResponse) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN))

const blocked = (seconds: number) => ({
  status: 429,
  body: {
    result: 'error',
    code: 'RATE_LIMIT_HIT',
    msg: 'API usage exceeded rate limit',
    'retry-after': expect.closeTo(seconds, -1),
  },
})

describe('requests of an account', () => {
  it('are counted over a minute, all endpoints together', async () => {
    const now = Date.now() / 1_000
    const first = await member.api.get('/users/me')
    expect(limits(first)).toEqual([perUser.requests, perUser.requests - 1, expect.closeTo(now + 60, -1)])
    const second = await member.api.post('/messages', { type: 'direct', to: [member.id], content: 'x' })
    expect(limits(second)[1]).toBe(perUser.requests - 2)
  })

  it('are refused above the limit in the language of the account', async () => {
    expect((await member.api.patch('/settings', { default_language: 'de' })).status).toBe(200)
    await use('user', member.id, 0)
    const { status, body } = await member.api.get('/users/me')
    expect([status, body.code]).toEqual([429, 'RATE_LIMIT_HIT'])
    expect(body.msg).toBe('Das waren zu viele Anfragen in kurzer Zeit. Versuch es gleich noch einmal.')
  })

  it('are counted when refused for another reason, too', async () => {
    const refused = await member.api.get('/messages/999999')
    expect([refused.status, limits(refused)[1]]).toEqual([400, perUser.requests - 1])
    const forbidden = await member.api.post('/users', {})
    expect([forbidden.body.code, limits(forbidden)[1]]).toEqual([
      'UNAUTHORIZED_PRINCIPAL',
      perUser.requests - 2,
    ])
  })

  it('over the limit are refused, with the time to wait', async () => {
    await use('user', member.id, 1)
    expect((await member.api.get('/users/me')).status).toBe(200)
    const refused = await member.api.get('/users/me')
    expect(refused).toMatchObject(blocked(60))
    const { 'retry-after': wait } = refused.body
    expect(Number(refused.headers.get('retry-after'))).toBe(wait)
    expect(limits(refused).slice(0, 2)).toEqual([perUser.requests, 0])
  })

  it('that were refused do not extend the window', async () => {
    await use('user', member.id, 0)
    for (const offset of [20, 40, 59]) {
      world.clockOffset = offset
      expect(await member.api.get('/users/me')).toMatchObject(blocked(60 - offset))
    }
    world.clockOffset = 61
    expect((await member.api.get('/users/me')).status).toBe(200)
  })

  it('count for one account: others can go on', async () => {
    await use('user', member.id, 0)
    expect((await member.api.get('/users/me')).status).toBe(429)
    expect((await realm.owner.api.get('/users/me')).status).toBe(200)
  })

  it('are checked after authentication and before role and parameters', async () => {
    await use('user', member.id, 0)
    expect((await member.api.post('/users', { unheard_of: 1 })).status).toBe(429)
    const wrongKey = { Authorization: `Basic ${btoa(`${member.email}:${'k'.repeat(32)}`)}` }
    const response = await realm.anonymous.request('GET', '/users/me', {}, { headers: wrongKey })
    expect(response.status).toBe(401)
    expect(limits(response)).toEqual([Number.NaN, Number.NaN, Number.NaN])
  })

  it('count once, however many RPCs they need', async () => {
    // The creation of an account is rehearsed first.
    const created = await realm.owner.api.post('/users', {
      email: `new@${realm.host}`,
      full_name: 'New',
      password: 'a fine password',
    })
    expect([created.status, limits(created)[1]]).toEqual([200, perUser.requests - 1])
  })
})

describe('GET and DELETE /events', () => {
  it('have a bucket of their own', async () => {
    const queue = await openQueue(member)
    const poll = () => member.api.get('/events', { queue_id: queue.id, last_event_id: -1, dont_block: true })
    expect(limits(await poll())).toEqual([perPoller.requests, perPoller.requests - 1, expect.anything()])
    await use('user', member.id, 0)
    expect((await member.api.get('/users/me')).status).toBe(429)
    expect(limits(await poll())[1]).toBe(perPoller.requests - 2)
    const ended = await member.api.delete('/events', { queue_id: queue.id })
    expect(limits(ended)[1]).toBe(perPoller.requests - 3)
    await use('events', member.id, 0)
    expect(await poll()).toMatchObject(blocked(60))
  })

  it('return the limits after waiting, too', async () => {
    const queue = await openQueue(member, { event_types: ['message'] })
    const held = member.api.get('/events', { queue_id: queue.id, last_event_id: -1 })
    await expect.poll(() => inRealm(realm, ({ parts }) => parts.polls.isWaiting(queue.id))).toBe(true)
    await member.api.post('/messages', { type: 'direct', to: [member.id], content: 'x' })
    expect(limits(await held)[1]).toBe(perPoller.requests - 1)
  })
})

describe('requests without credentials', () => {
  const from = (address: string, path = '/realm/subdomain/free') =>
    realm.anonymous.request('GET', path, {}, { headers: { 'CF-Connecting-IP': address } })

  it('are counted by address', async () => {
    expect(limits(await from('192.0.2.1')).slice(0, 2)).toEqual([
      perAddress.requests,
      perAddress.requests - 1,
    ])
    await use('anonymous', '192.0.2.1', 0)
    expect(await from('192.0.2.1')).toMatchObject(blocked(60))
    expect((await from('192.0.2.2')).status).toBe(200)
    // What shows how to log in is counted apart.
    expect(limits(await from('192.0.2.1', '/server_settings')).slice(0, 2)).toEqual([2_000, 1_999])
  })
})

it('a limit that is off is neither counted nor returned', async () => {
  world.limited = false
  await use('user', member.id, 0)
  const response = await member.api.get('/users/me')
  expect(response.status).toBe(200)
  expect(limits(response)).toEqual([Number.NaN, Number.NaN, Number.NaN])
})

it('buckets that are no longer used are deleted', async () => {
  await changeRealm(realm, () => {})
  const kept = () => inRealm(realm, ({ parts }) => parts.limiter.size)
  await use('anonymous', '192.0.2.7', 50)
  expect(await kept()).toBeGreaterThan(0)
  world.clockOffset = 130
  await member.api.get('/users/me')
  expect(await kept()).toBe(1)
})

describe('the settings of a deployment', () => {
  const asMany = (count: number, ask: () => Promise<ApiResponse>) =>
    Promise.all(Array.from({ length: count }, ask)).then((answers) =>
      answers.map(({ status }) => status).sort(),
    )
  const poll = () => member.api.get('/events', { queue_id: 'none', last_event_id: -1, dont_block: true })
  const from = { headers: { 'CF-Connecting-IP': '192.0.2.3' } }
  const look = () => realm.anonymous.request('GET', '/realm/subdomain/free', {}, from)

  it.each([
    ['RATE_LIMIT_API_BY_USER', () => member.api.get('/users/me'), 200],
    ['RATE_LIMIT_EVENTS_BY_USER', poll, 400],
    ['RATE_LIMIT_API_BY_IP', look, 200],
  ])('%s changes the numbers of one bucket', async (name, ask, status) => {
    world.settings = { [name]: '3/20' }
    const first = await ask()
    expect(limits(first)).toEqual([3, 2, expect.closeTo(Date.now() / 1_000 + 20, -1)])
    expect(await asMany(4, ask)).toEqual([status, status, 429, 429])
    expect(await ask()).toMatchObject(blocked(20))
    world.clockOffset = 21
    expect((await ask()).status).toBe(status)
    world.settings = {}
    expect(limits(await ask())[0]).toBeGreaterThanOrEqual(100)
  })

  it('may set several limits at once: the tightest one is returned', async () => {
    world.settings = { RATE_LIMIT_API_BY_USER: '2/10 3/60' }
    const ask = () => member.api.get('/users/me')
    expect(limits(await ask()).slice(0, 2)).toEqual([2, 1])
    expect(limits(await ask()).slice(0, 2)).toEqual([2, 0])
    expect(await ask()).toMatchObject(blocked(10))
    world.clockOffset = 11
    expect(limits(await ask()).slice(0, 2)).toEqual([3, 0])
    expect(await ask()).toMatchObject(blocked(49))
  })

  it('that are invalid keep the default limit, with a line in the log', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const malformed = ['off', '0/60', '200', '200/0', '-1/60', '1e3/60', '200/60 x', '200 / 60']
    for (const [index, setting] of ['', ...malformed].entries()) {
      world.settings = { RATE_LIMIT_API_BY_USER: setting }
      expect(limits(await member.api.get('/users/me')).slice(0, 2)).toEqual([200, 199 - index])
    }
    await member.api.get('/users/me')
    const warnings = warn.mock.calls.flat().filter((line) => String(line).includes('RATE_LIMIT_API_BY_USER'))
    // Each malformed value is logged once, however many requests there are.
    expect(warnings).toEqual(malformed.map(() => expect.stringMatching(/200\/60 stays in force\./)))
    warn.mockRestore()
  })

  it('change the limits of logins, which RATE_LIMITS=off leaves as they are', async () => {
    world.limited = false
    world.settings = { RATE_LIMITS: 'off', RATE_LIMIT_LOGIN_BY_USERNAME: '2/100' }
    const logIn = () =>
      realm.anonymous.post('/fetch_api_key', { username: member.email, password: 'wrong password' })
    expect(await asMany(3, logIn)).toEqual([401, 401, 429])
    world.clockOffset = 101
    expect((await logIn()).status).toBe(401)
    world.settings = { RATE_LIMITS: 'off', RATE_LIMIT_LOGIN_BY_USERNAME: 'none' }
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    world.clockOffset = 5_000
    expect(await asMany(6, logIn)).toEqual([401, 401, 401, 401, 401, 429])
    warn.mockRestore()
  })

  it('change the limits of mail', async () => {
    const askReset = async (email: string, ip: string) =>
      (await postForm(`http://${realm.host}/accounts/password/reset/`, { email }, ip)).status
    world.settings = { RATE_LIMIT_MAIL_BY_USER: '1/3600', RATE_LIMIT_MAIL_BY_IP: '2/3600' }
    expect(await askReset('one@example.com', '192.0.2.4')).toBe(200)
    expect(await askReset('one@example.com', '192.0.2.4')).toBe(429)
    expect(await askReset('two@example.com', '192.0.2.4')).toBe(200)
    expect(await askReset('three@example.com', '192.0.2.4')).toBe(429)
    expect(await askReset('three@example.com', '192.0.2.5')).toBe(200)
  })
})
