import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { appOf, nextCode, withApp } from '../../support/authenticator-app.ts'
import { Browser } from '../../support/browsing.ts'
import { buildUser, createBot, expectSuccess, type TestUser } from '../../support/factories.ts'
import { changeRealm } from '../../support/inside.ts'
import { readJson } from '../../support/json.ts'
import { turnRealmSettings } from '../../support/realm-settings.ts'
import { buildRealm, usePerTest, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const PASSWORD = 'a fine password'
const WRONG = 'That code is wrong, or was used already. Enter the newest one.'
const OVER = 'That took too long, or was tried too often. Log in again.'

const organization = useRealm()
const { realm } = organization
const people = usePerTest(organization, { user: 'member' })
let user: TestUser
beforeEach(() => {
  user = people.user
})

const factorsOf = async ({ api }: TestUser) => expectSuccess(await api.get('/second_factors'))

/** Answers as the page does that logs in by script. */
async function ask(browser: Browser, path: string, fields: Record<string, string>) {
  const headers = { Accept: 'application/json', Origin: browser.origin }
  const response = await browser.ask('POST', path, { body: new URLSearchParams(fields), headers })
  return { status: response.status, body: await readJson<Record<string, unknown>>(response) }
}

/** Enters the password, and returns the ticket with which the code is entered. */
async function ticketOf(browser: Browser, { email }: TestUser): Promise<string> {
  const { body } = await ask(browser, '/accounts/login/', { username: email, password: PASSWORD })
  return (body.second_factor as { ticket: string }).ticket
}

const enter = (browser: Browser, ticket: string, code: string) =>
  ask(browser, '/accounts/login/second-factor/', { ticket, code })

async function logInWith(code: string, who = user): Promise<{ status: number; browser: Browser }> {
  const browser = new Browser(realm.host)
  const { status } = await enter(browser, await ticketOf(browser, who), code)
  return { status, browser }
}

describe('an authenticator app', () => {
  it('counts only once a code of it was entered', async () => {
    const begun = expectSuccess(await user.api.post('/second_factors/totp'))
    expect(begun.uri).toMatch(/^otpauth:\/\/totp\/Test:.+secret=[A-Z2-7]{32}.*/)
    expect(begun.qr_code).toMatch(/^<svg /)
    expect(await factorsOf(user)).toMatchObject({ totp_made_at: null, recovery_codes_left: 0 })
    const wrong = await user.api.post('/second_factors/totp/confirm', { code: '000000' })
    expect([wrong.status, wrong.body]).toEqual([400, { result: 'error', msg: WRONG, code: 'BAD_REQUEST' }])
    const app = appOf(String(begun.secret))
    const confirmed = expectSuccess(await user.api.post('/second_factors/totp/confirm', { code: app.code() }))
    expect(confirmed.recovery_codes).toHaveLength(10)
    expect(new Set(confirmed.recovery_codes as string[]).size).toBe(10)
    expect(await factorsOf(user)).toMatchObject({
      totp_made_at: expect.any(Number),
      recovery_codes_left: 10,
    })
  })

  it('is stored sealed, and its recovery codes as digests', async () => {
    const begun = expectSuccess(await user.api.post('/second_factors/totp'))
    const app = appOf(String(begun.secret))
    const { recovery_codes } = expectSuccess(
      await user.api.post('/second_factors/totp/confirm', { code: app.code() }),
    )
    const tables = ['totp', 'recovery_code', 'log', 'first_answer']
    const stored = await changeRealm(realm, ({ sql }) =>
      JSON.stringify(tables.map((table) => sql.all(`SELECT * FROM ${table}`))),
    )
    for (const secret of [String(begun.secret), ...(recovery_codes as string[])]) {
      expect(stored).not.toContain(secret)
      expect(stored).not.toContain(secret.replaceAll('-', ''))
    }
  })

  it('is not set up for bots, nor twice', async () => {
    const { api } = await createBot(realm.owner, 'Bot')
    expect((await api.post('/second_factors/totp')).body).toMatchObject({
      msg: 'This endpoint does not accept bot requests.',
    })
    await withApp(user)
    expect((await user.api.post('/second_factors/totp')).body).toMatchObject({
      msg: 'You have an authenticator app already. Remove it to set up another one.',
    })
  })

  it('takes its recovery codes along when it is removed', async () => {
    await withApp(user)
    expectSuccess(await user.api.delete('/second_factors/totp'))
    expect(await factorsOf(user)).toMatchObject({ totp_made_at: null, recovery_codes_left: 0 })
    expect((await user.api.delete('/second_factors/totp')).body).toMatchObject({
      msg: 'You have no authenticator app.',
    })
    expect((await user.api.post('/second_factors/recovery_codes')).body).toMatchObject({
      msg: 'Set up an authenticator app or a passkey first.',
    })
    const browser = new Browser(realm.host)
    expect((await browser.logIn(user.email, PASSWORD)).headers.get('location')).toBe('/')
  })
})

describe('logging in with a password and a code', () => {
  it('lets nobody in with the password alone', async () => {
    await withApp(user)
    const browser = new Browser(realm.host)
    const page = await browser.logIn(user.email, PASSWORD)
    expect([page.status, browser.cookies.size]).toEqual([200, 0])
    expect(await page.text()).toContain('name="code"')
    const { body } = await ask(browser, '/accounts/login/', { username: user.email, password: PASSWORD })
    expect(body.second_factor).toEqual({
      ticket: expect.any(String),
      must_set_up: false,
      has_totp: true,
      has_passkey: false,
    })
    expect(browser.cookies.has('sessionid')).toBe(false)
  })

  it('lets in with the code of now, and of the steps beside it', async () => {
    const { app } = await withApp(user)
    for (const step of [-1, 0, 1]) {
      world.clockOffset += 90
      const { status, browser } = await logInWith(app.code(step))
      expect(status).toBe(200)
      expect(expectSuccess(await browser.json('GET', '/users/me')).user_id).toBe(user.id)
    }
  })

  it.each([-2, 2])('refuses the code of %i steps away', async (steps) => {
    const { app } = await withApp(user)
    world.clockOffset += 90
    expect((await logInWith(app.code(steps))).status).toBe(401)
  })

  it('takes codes in two groups, and in wide digits', async () => {
    const { app } = await withApp(user)
    expect((await logInWith(app.code().replace(/^.../, '$& '))).status).toBe(200)
    nextCode()
    const wide = app.code().replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
    expect((await logInWith(wide)).status).toBe(200)
  })

  it('takes each code once, and none of before it', async () => {
    const { app } = await withApp(user)
    world.clockOffset += 90
    const [before, code] = [app.code(-1), app.code()]
    expect((await logInWith(code)).status).toBe(200)
    expect((await logInWith(code)).status).toBe(401)
    expect((await logInWith(before)).status).toBe(401)
  })

  it('takes each recovery code once, however it is written', async () => {
    const { recoveryCodes } = await withApp(user)
    const written = ` ${recoveryCodes[0]!.toUpperCase().replaceAll('-', ' ')}`
    expect((await logInWith(written)).status).toBe(200)
    expect((await logInWith(recoveryCodes[0]!)).status).toBe(401)
    expect(await factorsOf(user)).toMatchObject({ recovery_codes_left: 9 })
    const other = await buildUser(realm)
    await withApp(other)
    expect((await logInWith(recoveryCodes[1]!, other)).status).toBe(401)
  })

  it('refuses the former recovery codes after new ones were made', async () => {
    const { recoveryCodes } = await withApp(user)
    const { recovery_codes } = expectSuccess(await user.api.post('/second_factors/recovery_codes'))
    expect((await logInWith(recoveryCodes[0]!)).status).toBe(401)
    expect((await logInWith((recovery_codes as string[])[0]!)).status).toBe(200)
  })

  it('takes a ticket once, for five minutes, and for five wrong codes', async () => {
    const { app } = await withApp(user)
    const browser = new Browser(realm.host)
    const used = await ticketOf(browser, user)
    expect((await enter(browser, used, app.code())).status).toBe(200)
    nextCode()
    expect((await enter(browser, used, app.code())).body.msg).toBe(OVER)
    const old = await ticketOf(browser, user)
    world.clockOffset += 301
    expect((await enter(browser, old, app.code())).body.msg).toBe(OVER)
    const tried = await ticketOf(browser, user)
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await enter(browser, tried, 'abcd-efgh-ijkm')).body.msg).toBe(WRONG)
    }
    expect((await enter(browser, tried, app.code())).body.msg).toBe(OVER)
    expect((await enter(browser, 'no such ticket', app.code())).body.msg).toBe(OVER)
  })

  it('voids its ticket when the password is changed', async () => {
    const { app } = await withApp(user)
    const browser = new Browser(realm.host)
    const ticket = await ticketOf(browser, user)
    const new_password = 'another fine password'
    expectSuccess(await user.api.patch('/settings', { old_password: PASSWORD, new_password }))
    expect((await enter(browser, ticket, app.code())).body.msg).toBe(OVER)
  })

  it('takes no ticket after passwords were turned off', async () => {
    const { app } = await withApp(user)
    const browser = new Browser(realm.host)
    const ticket = await ticketOf(browser, user)
    const methods = { Email: true, 'OpenID Connect': true, GitHub: true, RemoteUser: true }
    await turnRealmSettings(realm, { authentication_methods: { ...methods, Email: false } })
    const refused = await enter(browser, ticket, app.code())
    await turnRealmSettings(realm, { authentication_methods: methods })
    expect([refused.status, refused.body.code]).toEqual([401, 'PASSWORD_AUTH_DISABLED'])
  })

  it('returns to the app with the key, where an app has come', async () => {
    const { app } = await withApp(user)
    const pad = '00ff102a'.repeat(8)
    const browser = new Browser(realm.host)
    const headers = { Origin: browser.origin }
    const body = new URLSearchParams({ email: user.email, password: PASSWORD })
    const page = await browser.ask('POST', `/accounts/login/?mobile_flow_otp=${pad}`, { body, headers })
    const html = await page.text()
    const [, action = ''] = /action="([^"]+second-factor[^"]+)"/.exec(html) ?? []
    const [, ticket = ''] = /name="ticket" value="([^"]+)"/.exec(html) ?? []
    const entered = new URLSearchParams({ ticket, code: app.code() })
    const answer = await browser.ask('POST', action, { body: entered, headers })
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toMatch(/^zulip:\/\/login\?realm=/)
    expect(browser.cookies.has('sessionid')).toBe(false)
  })

  it('refuses POST /fetch_api_key, and leaves keys that are out', async () => {
    await withApp(user)
    const right = await realm.anonymous.post('/fetch_api_key', { username: user.email, password: PASSWORD })
    expect([right.status, right.body]).toEqual([
      401,
      {
        result: 'error',
        msg: 'This account needs a second factor. Log in with your browser.',
        code: 'AUTHENTICATION_FAILED',
      },
    ])
    const wrong = await realm.anonymous.post('/fetch_api_key', {
      username: user.email,
      password: 'wrong one',
    })
    expect(wrong.body).toMatchObject({ msg: 'Your username or password is incorrect' })
    expectSuccess(await user.api.get('/users/me'))
  })

  it('sends apps to the log-in page once any user has a second factor', async () => {
    const fresh = await buildRealm()
    const methods = async () =>
      expectSuccess(await fresh.realm.anonymous.get('/server_settings')).external_authentication_methods
    expect(await methods()).toEqual([])
    await withApp(fresh.owner)
    expect(await methods()).toEqual([
      {
        name: 'web',
        display_name: 'Log in with browser',
        display_icon: null,
        login_url: '/accounts/login/',
        signup_url: '/accounts/login/',
      },
    ])
  })

  it('refuses a code that another site has posted', async () => {
    const { app } = await withApp(user)
    const browser = new Browser(realm.host)
    const ticket = await ticketOf(browser, user)
    const body = new URLSearchParams({ ticket, code: app.code() })
    const headers = { Origin: 'https://elsewhere.example', Accept: 'application/json' }
    const answer = await browser.ask('POST', '/accounts/login/second-factor/', { body, headers })
    expect([answer.status, browser.cookies.size]).toEqual([403, 0])
  })

  it('enters wrong codes and right ones into the audit log', async () => {
    const { app } = await withApp(user)
    await logInWith('000000')
    await logInWith(app.code())
    const { entries } = expectSuccess(
      await realm.owner.api.get('/audit_log', { anchor: 'newest', num_before: 3 }),
    )
    const own = (entries as { action: string; details: Record<string, unknown> }[]).filter(
      ({ details }) => details.user_id === user.id,
    )
    expect(own.map(({ action, details }) => [action, details])).toEqual(
      expect.arrayContaining([
        ['login_failed', { user_id: user.id, wrong: 'code' }],
        ['login', { user_id: user.id, method: 'password+code' }],
      ]),
    )
  })
})

describe('wrong codes', () => {
  /** Enters codes from a network, five with each ticket. */
  async function enterFrom(ip: string, codes: readonly string[], who = user): Promise<number[]> {
    const browser = new Browser(realm.host)
    const post = async (path: string, fields: Record<string, string>) => {
      const headers = { Accept: 'application/json', Origin: browser.origin, 'CF-Connecting-IP': ip }
      return browser.ask('POST', path, { body: new URLSearchParams(fields), headers })
    }
    const found: number[] = []
    let ticket = ''
    for (const [at, code] of codes.entries()) {
      if (at % 5 === 0) {
        const asked = await post('/accounts/login/', { username: who.email, password: PASSWORD })
        ticket = (await readJson<{ second_factor: { ticket: string } }>(asked)).second_factor.ticket
      }
      found.push((await post('/accounts/login/second-factor/', { ticket, code })).status)
    }
    return found
  }

  it('are limited by network, and do not keep the owner out who comes from another', async () => {
    const { app } = await withApp(user)
    const tried = await enterFrom('203.0.113.7', Array<string>(11).fill('000000'))
    expect(tried).toEqual([...Array<number>(10).fill(401), 429])
    expect(await enterFrom('198.51.100.7', [app.code()])).toEqual([200])
  })

  it('with made-up tickets are limited by network, and keep nobody from the password', async () => {
    const headers = { Accept: 'application/json', 'CF-Connecting-IP': '203.0.113.90' }
    const post = (path: string, fields: Record<string, string>, ip = '203.0.113.90') => {
      const browser = new Browser(realm.host)
      const from = { ...headers, Origin: browser.origin, 'CF-Connecting-IP': ip }
      return browser.ask('POST', path, { body: new URLSearchParams(fields), headers: from })
    }
    const madeUp = (tried: number, ip?: string) =>
      post('/accounts/login/second-factor/', { ticket: `made up ${tried}`, code: '000000' }, ip)
    for (let tried = 0; tried < 300; tried += 1) expect((await madeUp(tried)).status).toBe(400)
    const refused = await madeUp(300)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await madeUp(0, '203.0.113.91')).status).toBe(400)
    expect((await post('/accounts/login/', { username: user.email, password: PASSWORD })).status).toBe(200)
  })

  it('are limited for all networks together from which nobody has logged in', async () => {
    const { app } = await withApp(user)
    const strangers = (net: number) => enterFrom(`192.0.${net}.7`, Array<string>(10).fill('000000'))
    expect(await strangers(2)).not.toContain(429)
    world.clockOffset += 1800
    expect(await strangers(3)).not.toContain(429)
    world.clockOffset += 1800
    expect(await enterFrom('192.0.4.7', [app.code()])).toEqual([429])
    // Another person has logged in from there.
    const colleague = await buildUser(realm)
    const { app: other } = await withApp(colleague)
    expect(await enterFrom('192.0.5.7', [other.code()], colleague)).toEqual([200])
    expect(await enterFrom('192.0.5.7', [app.code()])).toEqual([200])
  })

  it('are limited for all networks together from which a member has logged in', async () => {
    const { app } = await withApp(user)
    const colleague = await buildUser(realm)
    const browser = new Browser(realm.host)
    const from = (net: number) => `192.0.${net}.8`
    const enter = async (net: number, codes: readonly string[]) => {
      const headers = { Origin: browser.origin, 'CF-Connecting-IP': from(net) }
      const body = new URLSearchParams({ username: colleague.email, password: PASSWORD })
      await browser.ask('POST', '/accounts/login/', { body, headers })
      return enterFrom(from(net), codes)
    }
    for (const net of [10, 11, 12, 13]) {
      expect(await enter(net, Array<string>(10).fill('000000'))).toEqual(Array<number>(10).fill(401))
    }
    expect(await enter(14, [app.code()])).toEqual([429])
    world.clockOffset += 600
    expect(await enter(14, [app.code()])).toEqual([200])
  })

  it('are limited for all known browsers of the account together', async () => {
    const { app } = await withApp(user)
    const known: Browser[] = []
    for (let count = 0; count < 5; count += 1) {
      known.push((await logInWith(app.code())).browser)
      nextCode()
    }
    const enterIn = async (browser: Browser, codes: readonly string[]) => {
      const ticket = await ticketOf(browser, user)
      const found: number[] = []
      for (const code of codes) found.push((await enter(browser, ticket, code)).status)
      return found
    }
    const wrong = Array<string>(5).fill('000000')
    for (const browser of known.slice(1)) {
      expect([...(await enterIn(browser, wrong)), ...(await enterIn(browser, wrong))]).not.toContain(429)
    }
    expect(await enterIn(known[0]!, [app.code()])).toEqual([429])
    expect((await logInWith(app.code())).status).toBe(200)
  })
})

describe('an organization that requires two steps', () => {
  beforeAll(() => turnRealmSettings(realm, { second_factor_required_for: 'everybody' }))

  it('has one set up by whoever has none, at the log-in', async () => {
    const browser = new Browser(realm.host)
    const first = await ask(browser, '/accounts/login/', { username: user.email, password: PASSWORD })
    const { ticket, must_set_up, totp } = first.body.second_factor as {
      ticket: string
      must_set_up: boolean
      totp: { secret: string }
    }
    expect([must_set_up, browser.cookies.size]).toEqual([true, 0])
    const app = appOf(totp.secret)
    expect((await enter(browser, ticket, '000000')).status).toBe(401)
    expect(await factorsOf(user)).toMatchObject({ totp_made_at: null, is_required: true })
    const { status, body } = await enter(browser, ticket, app.code())
    expect([status, (body.recovery_codes as string[]).length]).toEqual([200, 10])
    expectSuccess(await browser.json('GET', '/users/me'))
    expect(await factorsOf(user)).toMatchObject({ totp_made_at: expect.any(Number) })
  })

  it('offers each log-in a secret of its own, which no other can confirm', async () => {
    const begun = async () => {
      const browser = new Browser(realm.host)
      const { body } = await ask(browser, '/accounts/login/', { username: user.email, password: PASSWORD })
      const { ticket, totp } = body.second_factor as { ticket: string; totp: { secret: string } }
      return { browser, ticket, app: appOf(totp.secret), secret: totp.secret }
    }
    const [thief, owner] = [await begun(), await begun()]
    expect(thief.secret).not.toBe(owner.secret)
    expect((await enter(owner.browser, owner.ticket, thief.app.code())).status).toBe(401)
    expect((await enter(owner.browser, owner.ticket, owner.app.code())).status).toBe(200)
    nextCode()
    expect((await enter(thief.browser, thief.ticket, thief.app.code())).body.msg).toBe(OVER)
    expect((await logInWith(thief.app.code())).status).toBe(401)
    expect((await logInWith(owner.app.code())).status).toBe(200)
  })

  it('shows the same secret again after a wrong code', async () => {
    const browser = new Browser(realm.host)
    const page = await browser.logIn(user.email, PASSWORD)
    const html = await page.text()
    const secretOf = (text: string) => /<pre>([A-Z2-7 ]+)<\/pre>/.exec(text)?.[1]
    const [, ticket = ''] = /name="ticket" value="([^"]+)"/.exec(html) ?? []
    const body = new URLSearchParams({ ticket, code: '000000' })
    const headers = { Origin: browser.origin }
    const again = await browser.ask('POST', '/accounts/login/second-factor/', { body, headers })
    expect(secretOf(html)).toBeDefined()
    expect([again.status, secretOf(await again.text())]).toEqual([401, secretOf(html)])
  })
})
