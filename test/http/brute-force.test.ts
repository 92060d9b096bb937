import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ApiClient, type ApiResponse, askWorker, evictRealm } from '../support/api.ts'
import { buildRealm, expectSuccess, type TestRealm, type TestUser } from '../support/factories.ts'
import { enterUsers, inRealm } from '../support/inside.ts'
import { postForm, visit } from '../support/pages.ts'
import { stayAwake } from '../support/stay-awake.ts'
import { world } from '../support/world.ts'

/** Guessing comes to an end: by name, by address, and with one password for many names. */

let realm: TestRealm
let member: TestUser
let calls = 0
stayAwake()
beforeAll(async () => {
  realm = await buildRealm()
  ;[member] = (await enterUsers(realm, 1)) as [TestUser]
})
beforeEach(() => {
  calls = 0
  world.reach = (call) => {
    calls += 1
    return call()
  }
})

let networks = 0
/** An address that no other test uses. */
function newIp(): string {
  networks += 1
  return `100.64.${Math.floor(networks / 250)}.${networks % 250}`
}

const ask = (apiKey: string, ip: string, user = member): Promise<ApiResponse> =>
  new ApiClient({ host: realm.host, realmId: realm.id, email: user.email, apiKey }).request(
    'GET',
    '/users/me',
    {},
    { headers: { 'CF-Connecting-IP': ip } },
  )

const logIn = (username: string, password: string, ip: string): Promise<ApiResponse> =>
  realm.anonymous.request(
    'POST',
    '/fetch_api_key',
    { username, password },
    { headers: { 'CF-Connecting-IP': ip } },
  )

const wrongKey = () => crypto.randomUUID().replaceAll('-', '')
const failures = (times: number, attempt: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: times }, attempt))

describe('wrong keys', () => {
  it('from one address are answered without the organization being asked, after a hundred a minute', async () => {
    const ip = newIp()
    const answers = (await failures(100, () => ask(wrongKey(), ip))) as ApiResponse[]
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    calls = 0
    const refused = await ask(wrongKey(), ip)
    expect(refused).toMatchObject({
      status: 429,
      body: {
        code: 'RATE_LIMIT_HIT',
        msg: 'API usage exceeded rate limit',
        'retry-after': expect.closeTo(60, -1),
      },
    })
    expect(Number(refused.headers.get('retry-after'))).toBe(refused.body['retry-after'])
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(calls).toBe(0)
    // Nobody else is refused for it.
    expect((await ask(wrongKey(), newIp())).status).toBe(401)
  })

  it('do not shut out who shares the address and has been let in before; a key that is new there waits', async () => {
    const ip = newIp()
    expectSuccess(await ask(member.apiKey, ip))
    await failures(100, () => ask(wrongKey(), ip))
    expectSuccess(await ask(member.apiKey, ip))
    expect((await ask(realm.owner.apiKey, ip, realm.owner)).status).toBe(429)
    // With a key that was right and is not any more nobody goes on.
    const { api_key } = expectSuccess(await member.api.post('/users/me/api_key/regenerate'))
    expect((await ask(member.apiKey, ip)).status).toBe(401)
    expect((await ask(member.apiKey, ip)).status).toBe(429)
    member = { ...member, apiKey: api_key, api: new ApiClient({ ...member.api, apiKey: api_key }) }
  })

  it('are not made good by a call that looks at no key', async () => {
    const ip = newIp()
    const [key] = [wrongKey()]
    const headers = { 'CF-Connecting-IP': ip, Authorization: `Basic ${btoa(`${member.email}:${key}`)}` }
    expectSuccess(await realm.anonymous.request('GET', '/server_settings', {}, { headers }))
    await failures(100, () => ask(wrongKey(), ip))
    expect((await ask(key, ip)).status).toBe(429)
  })

  it('from all addresses of one IPv6 network count together', async () => {
    await failures(50, () => ask(wrongKey(), `2001:db8:0:7::${Math.floor(Math.random() * 9_999)}`))
    await failures(50, () => ask(wrongKey(), '2001:0DB8:0000:0007:1:2:3:4'))
    expect((await ask(wrongKey(), '2001:db8:0:7:ffff::1')).status).toBe(429)
    expect((await ask(wrongKey(), '2001:db8:0:8::1')).status).toBe(401)
  })

  it('and calls without any count alike', async () => {
    const ip = newIp()
    const headers = { 'CF-Connecting-IP': ip }
    const anonymously = () => realm.anonymous.request('GET', '/users/me', {}, { headers })
    await failures(100, anonymously)
    expect((await anonymously()).status).toBe(429)
  })
})

describe('links and tickets that are made up', () => {
  it.each([
    ['an invitation', '/join/SECRET', 404],
    ['a password reset', '/accounts/password/reset/SECRET', 404],
    ['a reactivation', '/accounts/reactivate/SECRET', 404],
    ['a change of address', '/accounts/confirm-email/SECRET', 404],
    ['a file', '/user_uploads/temporary/SECRET/file.txt', 403],
    ['an export', '/user_avatars/exports/1/SECRET/export.tar.gz', 404],
  ])('come to an end: of %s', async (_name, path, status) => {
    const ip = newIp()
    const open = () =>
      visit(`http://${realm.host}${path.replace('SECRET', wrongKey())}`, {
        headers: { 'CF-Connecting-IP': ip },
      })
    world.settings = { RATE_LIMIT_API_BY_IP: '3/60' }
    for (let times = 1; times <= 3; times += 1) expect((await open()).status).toBe(status)
    calls = 0
    const refused = await open()
    expect([refused.status, calls]).toEqual([429, 0])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('come to an end: of a founding', async () => {
    const headers = { 'CF-Connecting-IP': newIp() }
    const owner = { email: 'a@b.example', full_name: 'Anybody', password: 'a fine password' }
    const found = () => {
      const body = JSON.stringify({ ticket: wrongKey(), name: 'x', host: 'x.test', owner })
      return visit(`http://${realm.host}/setup/organizations`, { method: 'POST', headers, body })
    }
    world.settings = { RATE_LIMIT_API_BY_IP: '3/60' }
    for (let times = 1; times <= 3; times += 1) expect((await found()).status).toBe(401)
    expect((await found()).status).toBe(429)
  })
})

describe('wrong passwords', () => {
  it('for one name come to an end whatever the address', async () => {
    for (let times = 1; times <= 5; times += 1) {
      expect((await logIn(member.email, 'wrong', newIp())).status).toBe(401)
    }
    await evictRealm(realm.id)
    expect((await logIn(member.email, 'wrong', newIp())).body.code).toBe('RATE_LIMIT_HIT')
  })

  it('with many names come to an end by the address, in whatever isolate, known or not', async () => {
    const ip = newIp()
    const right = { username: realm.owner.email, password: 'correct horse' }
    world.settings = { RATE_LIMIT_LOGIN_BY_IP: '6/1800' }
    for (let times = 1; times <= 6; times += 1) {
      expect((await logIn(`somebody-${times}@${realm.host}`, 'summer2026', ip)).status).toBe(401)
      // Who gets in is no failure, and ends no count but that of the own name.
      if (times < 6) expectSuccess(await logIn(right.username, right.password, ip))
    }
    await evictRealm(realm.id)
    const refused = await logIn(`somebody-7@${realm.host}`, 'summer2026', ip)
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_HIT' } })
    expect((await logIn(right.username, right.password, ip)).status).toBe(429)
    expectSuccess(await logIn(right.username, right.password, newIp()))
  })

  it('on the page and in the settings are counted with them', async () => {
    const ip = newIp()
    world.settings = { RATE_LIMIT_LOGIN_BY_IP: '2/1800' }
    const page = `http://${realm.host}/accounts/login?mobile_flow_otp=${'0'.repeat(64)}`
    const other = `page-${crypto.randomUUID()}@${realm.host}`
    expect((await postForm(page, { email: other, password: 'wrong' }, ip)).status).toBe(401)
    const headers = { 'CF-Connecting-IP': ip }
    const change = { old_password: 'wrong', new_password: 'another one' }
    const wrong = await realm.owner.api.request('PATCH', '/settings', change, { headers })
    expect(wrong.body.msg).toBe('Wrong password!')
    expect((await postForm(page, { email: other, password: 'wrong' }, ip)).status).toBe(429)
    const late = await realm.owner.api.request('PATCH', '/settings', change, { headers })
    expect(late.body.msg).toMatch(/^You're making too many attempts!/)
  })
})

describe('whether an account is there', () => {
  /** With the rows that the object has written. */
  async function written(request: Request): Promise<{ status: number; rows: number; text: string }> {
    request.headers.set('X-Parley-Rows', '1')
    const response = await askWorker(request)
    const { object } = JSON.parse(response.headers.get('x-parley-rows')!)
    return { status: response.status, rows: object.written, text: await response.text() }
  }

  it('is told neither by the answer to a login nor by what is written', async () => {
    const attempt = (username: string) =>
      written(
        new Request(`http://${realm.host}/api/v1/fetch_api_key`, {
          method: 'POST',
          headers: { 'CF-Connecting-IP': newIp() },
          body: new URLSearchParams({ username, password: 'wrong' }),
        }),
      )
    const [known] = (await enterUsers(realm, 1)) as [TestUser]
    const first = await attempt(known.email)
    expect(first.status).toBe(401)
    expect(first.rows).toBeGreaterThan(0)
    expect(await attempt(`nobody@${realm.host}`)).toEqual(first)
  })

  it('is told neither by the answer to a forgotten password nor by what is written', async () => {
    const asked = async (email: string) => {
      const tables = ['confirmation', 'email', 'mail_request', 'job']
      const count = () =>
        inRealm(realm, ({ parts }) =>
          tables.map((table) => parts.sql.first<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)!.n),
        )
      const before = await count()
      const page = await postForm(`http://${realm.host}/accounts/password/reset/`, { email }, newIp())
      const after = await count()
      return { status: page.status, rows: after.map((n, index) => n - before[index]!) }
    }
    // The first mail of all enters the job that sends it.
    await asked(member.email)
    const [known] = (await enterUsers(realm, 1)) as [TestUser]
    const first = await asked(`nobody-1@${realm.host}`)
    expect(await asked(known.email)).toEqual(first)
  })

  it('that nobody has is mailed nothing', async () => {
    const { text } = await visit(`http://${realm.host}/dev/emails`)
    expect(text).not.toContain('To ,')
  })
})
