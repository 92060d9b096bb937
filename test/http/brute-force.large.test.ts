import { beforeEach, describe, expect, it } from 'vitest'
import { ApiClient, type ApiResponse, askWorker, evictRealm } from '../support/api.ts'
import { Browser } from '../support/browsing.ts'
import { ROWS_HEADER, rowsOf } from '../support/counted-rows.ts'
import { buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { changeRealm, inRealm, insertUsers } from '../support/inside.ts'
import { isKnownNetwork, rememberNetwork } from '../support/inside-rows.ts'
import { neverEvict } from '../support/never-evict.ts'
import { mailedLink, postForm, visit } from '../support/pages.ts'
import { DAY } from '../support/times.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/** Guessing passwords and keys is limited by name, by address, and for one password with many names. */

let { realm, member } = useRealm({ member: 'member' })
let calls = 0
neverEvict()
beforeEach(() => {
  calls = 0
  world.reach = (call) => {
    calls += 1
    return call()
  }
})

let networks = 0
/** Returns an address that no other test uses. */
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

const logIn = (username: string, password: string, ip: string, at = realm): Promise<ApiResponse> =>
  at.anonymous.request(
    'POST',
    '/fetch_api_key',
    { username, password },
    { headers: { 'CF-Connecting-IP': ip } },
  )

const wrongKey = () => crypto.randomUUID().replaceAll('-', '')
const failures = (times: number, attempt: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: times }, attempt))

describe('wrong keys', () => {
  it('from one address are refused after a hundred a minute, without asking the organization', async () => {
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
    // Other addresses are not refused.
    expect((await ask(wrongKey(), newIp())).status).toBe(401)
  })

  it('count even if an earlier attempt is answered after them', async () => {
    const ip = newIp()
    const [release, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    world.reach = async (call) => {
      world.reach = (next) => next()
      held.resolve()
      await release.promise
      return call()
    }
    const earlier = ask(wrongKey(), ip)
    // Without this, a busy machine might hold one of the others instead, and the test would wait forever.
    await held.promise
    await failures(99, () => ask(wrongKey(), ip))
    release.resolve()
    expect((await earlier).status).toBe(401)
    expect((await ask(wrongKey(), ip)).status).toBe(429)
  })

  it('lock out only keys not seen at that address before', async () => {
    const ip = newIp()
    expectSuccess(await ask(member.apiKey, ip))
    await failures(100, () => ask(wrongKey(), ip))
    expectSuccess(await ask(member.apiKey, ip))
    expect((await ask(realm.owner.apiKey, ip, realm.owner)).status).toBe(429)
    // A key that is no longer valid is refused as well.
    const { api_key } = expectSuccess(await member.api.post('/users/me/api_key/regenerate'))
    expect((await ask(member.apiKey, ip)).status).toBe(401)
    expect((await ask(member.apiKey, ip)).status).toBe(429)
    member = { ...member, apiKey: api_key, api: new ApiClient({ ...member.api, apiKey: api_key }) }
  })

  it('caused by pages of other sites lock out nobody else on the network', async () => {
    const ip = newIp()
    const from = (site: string) => {
      const headers = { 'CF-Connecting-IP': ip, 'Sec-Fetch-Site': site }
      return realm.anonymous.request('GET', '/users/me', {}, { headers })
    }
    await failures(100, () => from('cross-site'))
    expect((await from('same-site')).status).toBe(429)
    expect((await from('same-origin')).status).toBe(401)
    expect((await logIn(realm.owner.email, 'correct horse', ip)).status).toBe(200)
  })

  it('lock out no browser that logged in from there within the last hour', async () => {
    const headers = { 'CF-Connecting-IP': newIp() }
    const [inside, outside] = [new Browser(realm.host), new Browser(realm.host)]
    await inside.logIn(realm.owner.email, 'correct horse')
    const look = (browser: Browser) => browser.ask('GET', '/json/users/me', { headers })
    expect((await look(inside)).status).toBe(200)
    await failures(100, () => look(outside))
    expect((await look(outside)).status).toBe(429)
    expect((await look(inside)).status).toBe(200)
    const loggedIn = new Map(inside.cookies)
    outside.cookies.set('sessionid', 'a'.repeat(43))
    expect((await look(outside)).status).toBe(429)
    // A session that has ended no longer counts, and without the cookie nothing else shows that a user logged in here.
    inside.cookies.delete('known_browser')
    loggedIn.delete('known_browser')
    const form = new URLSearchParams({ csrfmiddlewaretoken: loggedIn.get('csrftoken')! })
    expect((await inside.ask('POST', '/accounts/logout/', { body: form })).status).toBe(302)
    for (const [name, value] of loggedIn) inside.cookies.set(name, value)
    expect((await look(inside)).status).toBe(401)
    expect((await look(inside)).status).toBe(429)
  })

  it('are not forgiven by a call that needs no key', async () => {
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

  it('and calls without one count alike', async () => {
    const ip = newIp()
    const headers = { 'CF-Connecting-IP': ip }
    const anonymously = () => realm.anonymous.request('GET', '/users/me', {}, { headers })
    await failures(100, anonymously)
    expect((await anonymously()).status).toBe(429)
  })
})

describe('guessed links and tickets', () => {
  it.each([
    ['an invitation', '/join/SECRET', 404],
    ['a password reset', '/accounts/password/reset/SECRET', 404],
    ['a reactivation', '/accounts/reactivate/SECRET', 404],
    ['a change of address', '/accounts/confirm-email/SECRET', 404],
    ['an end of mail', '/accounts/unsubscribe/missed_messages/SECRET', 400],
    ['the health of the deployment', '/health?deep=SECRET', 404],
    ['the metrics of the deployment', '/metrics?of=SECRET', 404],
    ['a file', '/user_uploads/temporary/SECRET/file.txt', 403],
    ['an export', '/user_avatars/exports/1/SECRET/export.tar.gz', 404],
  ])('are limited: %s', async (_name, path, status) => {
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

  it('are limited: for a new organization', async () => {
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

describe('the token of the deployment', () => {
  it('is accepted even if others at its address guess', async () => {
    const headers = { 'CF-Connecting-IP': newIp() }
    const ask = (token: string) =>
      visit(`http://${realm.host}/health?deep=1`, {
        headers: { ...headers, Authorization: `Bearer ${token}` },
      })
    world.settings = { RATE_LIMIT_API_BY_IP: '3/60', HEALTH_TOKEN: 'a-fine-token' }
    expect((await ask('a-fine-token')).status).toBe(200)
    for (let times = 1; times <= 3; times += 1) expect((await ask(wrongKey())).status).toBe(404)
    expect((await ask(wrongKey())).status).toBe(429)
    expect((await ask('a-fine-token')).status).toBe(200)
  })
})

describe('wrong passwords', () => {
  it('for one account are limited, whatever the address', async () => {
    for (let times = 1; times <= 5; times += 1) {
      expect((await logIn(member.email, 'wrong', newIp())).status).toBe(401)
    }
    await evictRealm(realm.id)
    expect((await logIn(member.email, 'wrong', newIp())).body.code).toBe('RATE_LIMIT_HIT')
  })

  it('with many names are limited by address, in every isolate', async () => {
    const ip = newIp()
    const [inside, outside] = [realm.owner.email, (await buildUser(realm)).email]
    world.settings = { RATE_LIMIT_LOGIN_BY_IP: '6/1800' }
    // One person has logged in from there, so there is room for two more.
    for (let times = 1; times <= 8; times += 1) {
      expect((await logIn(`somebody-${times}@${realm.host}`, 'summer2026', ip)).status).toBe(401)
      // A successful login does not count as a failure, and resets only the count of its own name.
      if (times < 6) expectSuccess(await logIn(inside, 'correct horse', ip))
    }
    await evictRealm(realm.id)
    const refused = await logIn(`somebody-9@${realm.host}`, 'summer2026', ip)
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_HIT' } })
    expect((await logIn(outside, 'a fine password', ip)).status).toBe(429)
    expectSuccess(await logIn(outside, 'a fine password', newIp()))
    expectSuccess(await logIn(inside, 'correct horse', ip))
  })

  it('on the page count as well, and in the settings by account', async () => {
    const ip = newIp()
    world.settings = { RATE_LIMIT_LOGIN_BY_IP: '2/1800' }
    const page = `http://${realm.host}/accounts/login?mobile_flow_otp=${'0'.repeat(64)}`
    const other = `page-${crypto.randomUUID()}@${realm.host}`
    const enter = () => postForm(page, { email: other, password: 'wrong' }, ip)
    expect([(await enter()).status, (await logIn(other, 'wrong', ip)).status]).toEqual([401, 401])
    expect((await enter()).status).toBe(429)
    const headers = { 'CF-Connecting-IP': ip }
    const change = { old_password: 'wrong', new_password: 'another one' }
    const ask = async () =>
      (await realm.owner.api.request('PATCH', '/settings', change, { headers })).body.msg
    for (let times = 1; times <= 5; times += 1) expect(await ask()).toBe('Wrong password!')
    await evictRealm(realm.id)
    expect(await ask()).toMatch(/^You're making too many attempts!/)
    // A logged-in browser must not lock the account's owner out.
    expectSuccess(await logIn(realm.owner.email, 'correct horse', newIp()))
  })
})

describe('right passwords', () => {
  /** Logs a user in as often as the limit allows, each time from another address. */
  async function loggedInOften(): Promise<TestUser> {
    const [busy] = (await insertUsers(realm, 1)) as [TestUser]
    await setPassword(busy)
    for (let times = 1; times <= 30; times += 1) {
      expectSuccess(await logIn(busy.email, 'right and long', newIp()))
    }
    return busy
  }

  /** Sets a user's password through the link in a mail. */
  async function setPassword({ email }: TestUser): Promise<void> {
    await postForm(`http://${realm.host}/accounts/password/reset/`, { email }, newIp())
    const link = await mailedLink(realm.host, email)
    expect((await postForm(link, { password: 'right and long' }, newIp())).status).toBe(200)
  }

  it('of one account are limited, whatever the address', async () => {
    const busy = await loggedInOften()
    const refused = await logIn(busy.email, 'right and long', newIp())
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_HIT' } })
    await evictRealm(realm.id)
    expect((await logIn(busy.email, 'right and long', newIp())).status).toBe(429)
    // Others can log in, and so can this account after ten minutes.
    expectSuccess(await logIn(realm.owner.email, 'correct horse', newIp()))
    world.clockOffset += 601
    expectSuccess(await logIn(busy.email, 'right and long', newIp()))
  })

  it('are not limited by other people’s wrong guesses', async () => {
    const [victim] = (await insertUsers(realm, 1)) as [TestUser]
    await setPassword(victim)
    for (let times = 1; times <= 40; times += 1) await logIn(victim.email, 'wrong', newIp())
    // Wrong passwords count for half an hour, and right ones for ten minutes.
    world.clockOffset += 1_801
    for (let times = 1; times <= 30; times += 1) {
      expectSuccess(await logIn(victim.email, 'right and long', newIp()))
    }
  })
})

describe('wrong passwords with many names from many addresses', () => {
  const RIGHT = 'correct horse'
  /** Builds an organization that has reached its limit of failed logins. */
  async function sprayed(home = newIp()) {
    const { realm: at } = await buildRealm()
    world.settings = { RATE_LIMIT_LOGIN_BY_STRANGERS: '4/1800' }
    const tryOne = (name: string, password = 'summer2026', ip = newIp()) => logIn(name, password, ip, at)
    // A successful login does not count.
    expectSuccess(await tryOne(at.owner.email, RIGHT, home))
    for (let times = 1; times <= 4; times += 1) {
      expect((await tryOne(`name-${times}@${at.host}`)).status).toBe(401)
    }
    return { at, home, tryOne }
  }

  it('are refused only from addresses with no earlier login', async () => {
    const { at, home, tryOne } = await sprayed()
    await evictRealm(at.id)
    const refused = await tryOne(`name-5@${at.host}`)
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_HIT' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1_000)
    expect((await tryOne(at.owner.email, RIGHT)).status).toBe(429)
    expectSuccess(await tryOne(at.owner.email, RIGHT, home))
    // The server remembers the address, not the account: otherwise it would reveal which accounts exist.
    expect((await tryOne(`name-6@${at.host}`, 'wrong', home)).status).toBe(401)
    // Failures counted for that address do not count for other addresses.
    world.clockOffset += 1_801
    expect((await tryOne(`name-7@${at.host}`)).status).toBe(401)
    expectSuccess(await tryOne(at.owner.email, RIGHT))
  })

  it('lock out neither sessions nor users who can reset the password by mail', async () => {
    const { at, tryOne } = await sprayed()
    const away = newIp()
    const headers = { 'CF-Connecting-IP': away }
    const change = { old_password: RIGHT, new_password: 'a second one' }
    expectSuccess(await at.owner.api.request('PATCH', '/settings', change, { headers }))
    expect((await tryOne(at.owner.email, 'a second one', away)).status).toBe(429)
    await postForm(`http://${at.host}/accounts/password/reset/`, { email: at.owner.email }, away)
    const link = await mailedLink(at.host, at.owner.email)
    expect((await postForm(link, { password: 'a third one' }, away)).status).toBe(200)
    expectSuccess(await tryOne(at.owner.email, 'a third one', away))
  })

  it('accept an address for 90 days after the last login from it', async () => {
    const { at, home, tryOne } = await sprayed()
    const isLetIn = async () => {
      for (let times = 1; times <= 4; times += 1) await tryOne(`later-${times}@${at.host}`)
      return (await tryOne(at.owner.email, RIGHT, home)).status === 200
    }
    world.clockOffset += 89 * DAY
    expect(await isLetIn()).toBe(true)
    world.clockOffset += 89 * DAY
    expect(await isLetIn()).toBe(true)
    world.clockOffset += 91 * DAY
    expect(await isLetIn()).toBe(false)
  })

  it('are counted for at most 10,000 addresses, the most recent ones', async () => {
    const { realm: at } = await buildRealm()
    const count = () =>
      inRealm(at, ({ parts: { sql } }) => {
        const now = Date.now() / 1_000 + world.clockOffset
        for (const network of ['first', 'second']) rememberNetwork(sql, network, at.owner.id, now)
        sql.run(
          `INSERT INTO login_network (network, at)
           WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
           SELECT 'made up ' || i, ? FROM n`,
          Math.floor(now),
        )
        rememberNetwork(sql, 'last', at.owner.id, now)
        return [
          sql.first<{ n: number }>(`SELECT count(*) AS n FROM login_network`)!.n,
          ...['first', 'second', 'last'].map((network) => isKnownNetwork(sql, network, now)),
        ]
      })
    expect(await count()).toEqual([10_000, false, false, true])
  })
})

describe('whether an account exists', () => {
  /** Makes the request, and counts the rows that the object writes. */
  async function written(request: Request): Promise<{ status: number; rows: number; text: string }> {
    request.headers.set(ROWS_HEADER, 'count')
    const response = await askWorker(request)
    return { status: response.status, rows: rowsOf(response).object.written, text: await response.text() }
  }

  it('is revealed neither by the answer to a login nor by rows written', async () => {
    const attempt = (username: string) =>
      written(
        new Request(`http://${realm.host}/api/v1/fetch_api_key`, {
          method: 'POST',
          headers: { 'CF-Connecting-IP': newIp() },
          body: new URLSearchParams({ username, password: 'wrong' }),
        }),
      )
    const [known] = (await insertUsers(realm, 1)) as [TestUser]
    const first = await attempt(known.email)
    expect(first.status).toBe(401)
    expect(first.rows).toBeGreaterThan(0)
    expect(await attempt(`nobody@${realm.host}`)).toEqual(first)
    const [closed, unset] = (await insertUsers(realm, 2)) as [TestUser, TestUser]
    expectSuccess(await realm.owner.api.delete(`/users/${closed.id}`))
    await changeRealm(realm, ({ sql }) =>
      sql.run(`UPDATE user SET password_hash = NULL WHERE id = ?`, unset.id),
    )
    expect(await attempt(closed.email)).toEqual(first)
    expect(await attempt(unset.email)).toEqual(first)
  })

  it('is revealed neither by a password reset’s answer nor by rows written', async () => {
    const asked = async (email: string) => {
      // Jobs may run at any moment. They delete mail, so the test counts the ids ever assigned; and they end, so it counts new jobs.
      const counts = [
        'SELECT count(*) AS n FROM confirmation',
        `SELECT seq AS n FROM sqlite_sequence WHERE name = 'email'`,
        'SELECT count(*) AS n FROM mail_request',
      ]
      const stored = () =>
        inRealm(realm, ({ parts: { sql } }) => ({
          rows: counts.map((query) => sql.first<{ n: number }>(query)?.n ?? 0),
          jobs: sql.all<{ job: string }>(
            `SELECT kind || ' ' || key AS job FROM job WHERE kind <> 'send-emails'`,
          ),
        }))
      const before = await stored()
      const page = await postForm(`http://${realm.host}/accounts/password/reset/`, { email }, newIp())
      const after = await stored()
      return {
        status: page.status,
        rows: after.rows.map((n, index) => n - before.rows[index]!),
        jobs: after.jobs.filter(({ job }) => !before.jobs.some((earlier) => earlier.job === job)),
      }
    }
    // The very first mail schedules the job that sends it.
    await asked(member.email)
    const [known] = (await insertUsers(realm, 1)) as [TestUser]
    const first = await asked(`${crypto.randomUUID()}@${realm.host}`)
    expect(await asked(known.email)).toEqual(first)
  })

  it('is not revealed by mail: unknown addresses get none', async () => {
    const { text } = await visit(`http://${realm.host}/dev/emails`)
    expect(text).not.toContain('To ,')
  })
})
