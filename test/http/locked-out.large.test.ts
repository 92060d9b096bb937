import { describe, expect, it } from 'vitest'
import type { ApiResponse } from '../support/api.ts'
import { withApp } from '../support/authenticator-app.ts'
import { Browser } from '../support/browsing.ts'
import { buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { readJson } from '../support/json.ts'
import { neverEvict } from '../support/never-evict.ts'
import { mailedLink, mailsTo, postForm, visit } from '../support/pages.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/** No limit can be used to lock others out: neither those who share a network nor those whose address is known. */

const PASSWORD = 'a fine password'

const { realm } = useRealm()
neverEvict()

let networks = 0
/** Returns an address that no other test uses. */
function newIp(): string {
  networks += 1
  return `100.65.${Math.floor(networks / 250)}.${networks % 250}`
}

const times = (count: number, attempt: (at: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, at) => attempt(at)))

/** Logs in from an app. */
const logIn = (username: string, password: string, ip: string, at = realm): Promise<ApiResponse> =>
  at.anonymous.request('POST', '/fetch_api_key', { username, password }, from(ip))

const from = (ip: string) => ({ headers: { 'CF-Connecting-IP': ip } })

/** A browser at an address. */
class BrowserAt extends Browser {
  readonly ip: string

  constructor(ip: string, host = realm.host) {
    super(host)
    this.ip = ip
  }

  override ask(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('CF-Connecting-IP', this.ip)
    return super.ask(method, path, { ...init, headers })
  }

  /** Logs in on the page; returns the status as apps get it. */
  async enter({ email }: Pick<TestUser, 'email'>, password = PASSWORD): Promise<number> {
    const headers = { Origin: this.origin, Accept: 'application/json' }
    const body = new URLSearchParams({ username: email, password })
    return (await this.ask('POST', '/accounts/login/', { body, headers })).status
  }

  /** Ends the session; the browser stays known. */
  logOut(): void {
    this.cookies.delete('sessionid')
    this.cookies.delete('csrftoken')
  }
}

/** Returns a browser in which a user has logged in before. */
async function knownTo(user: Pick<TestUser, 'email'>, ip = newIp()): Promise<BrowserAt> {
  const browser = new BrowserAt(ip)
  expect(await browser.enter(user)).toBe(200)
  browser.logOut()
  return browser
}

describe('a colleague who fails with keys', () => {
  it('keeps nobody on the network from logging in', async () => {
    const user = await buildUser(realm)
    const ip = newIp()
    const wrong = () => realm.anonymous.request('GET', '/users/me', {}, from(ip))
    await times(100, wrong)
    expect((await wrong()).status).toBe(429)
    expectSuccess(await realm.anonymous.request('GET', '/server_settings', {}, from(ip)))
    expectSuccess(await logIn(user.email, PASSWORD, ip))
    const browser = new BrowserAt(ip)
    expect((await browser.ask('GET', '/accounts/login/?next=/')).status).toBe(200)
    expect(await browser.enter(user)).toBe(200)
    // What follows was never asked before, and is counted for this browser alone.
    expectSuccess(await browser.json('GET', '/users/me'))
  })

  it('locks out only the own browser, where a user has logged in', async () => {
    const browser = await knownTo(await buildUser(realm))
    const link = () => browser.ask('GET', `/join/${crypto.randomUUID().replaceAll('-', '')}`)
    await times(100, link)
    expect((await link()).status).toBe(429)
    const colleague = new BrowserAt(browser.ip)
    expect((await colleague.ask('GET', `/join/${'0'.repeat(32)}`)).status).toBe(404)
  })
})

describe('a program that goes on with an old key', () => {
  it('locks out no other key on the network, however new', async () => {
    const user = await buildUser(realm)
    const ip = newIp()
    const ask = async (key: string) => {
      const headers = { ...from(ip).headers, Authorization: `Basic ${btoa(`${user.email}:${key}`)}` }
      return (await realm.anonymous.request('GET', '/users/me', {}, { headers })).status
    }
    const asked: number[] = []
    for (let at = 0; at < 150; at += 1) asked.push(await ask('a'.repeat(32)))
    expect(asked).toEqual([...Array<number>(20).fill(401), ...Array<number>(130).fill(429)])
    expect(await ask(user.apiKey)).toBe(200)
  })

  it('is counted each time where it tries links', async () => {
    const ip = newIp()
    const headers = { ...from(ip).headers, Authorization: `Basic ${btoa('a@b.example:key')}` }
    const join = (at: number) =>
      visit(`http://${realm.host}/join/${String(at).padStart(32, '0')}`, { headers })
    await times(100, join)
    expect((await join(100)).status).toBe(429)
  })
})

describe('requests without an account from one address', () => {
  it('lock nobody there out of the ways to log in', async () => {
    const ip = newIp()
    const read = () => realm.anonymous.request('GET', '/realm/deactivated_or_not', {}, from(ip))
    await times(150, read)
    const settings = () => realm.anonymous.request('GET', '/server_settings', {}, from(ip))
    expect(new Set(((await times(300, settings)) as ApiResponse[]).map(({ status }) => status))).toEqual(
      new Set([200]),
    )
  })
})

describe('wrong passwords for a name', () => {
  it('from elsewhere lock out no network from which a user has logged in', async () => {
    const user = await buildUser(realm)
    const home = newIp()
    expectSuccess(await logIn(user.email, PASSWORD, home))
    for (let at = 0; at < 5; at += 1) expect((await logIn(user.email, 'wrong', newIp())).status).toBe(401)
    expect((await logIn(user.email, PASSWORD, newIp())).status).toBe(429)
    expectSuccess(await logIn(user.email, PASSWORD, home))
  })

  it('from all known addresses together are limited too', async () => {
    const user = await buildUser(realm)
    const known = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const ip = newIp()
        expectSuccess(await logIn((await buildUser(realm)).email, PASSWORD, ip))
        return ip
      }),
    )
    for (const ip of known.slice(0, 4)) {
      for (let at = 0; at < 5; at += 1) expect((await logIn(user.email, 'wrong', ip)).status).toBe(401)
    }
    expect((await logIn(user.email, PASSWORD, known[4]!)).status).toBe(429)
  })

  it('lock out no browser in which its owner has logged in before', async () => {
    const user = await buildUser(realm)
    const browser = await knownTo(user)
    for (let at = 0; at < 5; at += 1) await logIn(user.email, 'wrong', browser.ip)
    expect((await logIn(user.email, PASSWORD, browser.ip)).status).toBe(429)
    expect(await browser.enter(user)).toBe(200)
  })

  it('are limited in such a browser as well, and lock out nobody elsewhere', async () => {
    const user = await buildUser(realm)
    const browser = await knownTo(user)
    for (let at = 0; at < 5; at += 1) expect(await browser.enter(user, 'wrong')).toBe(401)
    expect(await browser.enter(user)).toBe(429)
    expectSuccess(await logIn(user.email, PASSWORD, browser.ip))
    // A right one begins the count anew.
    world.clockOffset += 1801
    expect(await browser.enter(user, 'wrong')).toBe(401)
    expect(await browser.enter(user)).toBe(200)
    for (let at = 0; at < 4; at += 1) expect(await browser.enter(user, 'wrong')).toBe(401)
    expect(await browser.enter(user)).toBe(200)
  })

  it('are counted by name if the browser is known for another account or host', async () => {
    const [user, other] = [await buildUser(realm), await buildUser(realm)]
    const elsewhere = await buildRealm()
    const stranger = await buildUser(elsewhere.realm)
    for (let at = 0; at < 5; at += 1) await logIn(user.email, 'wrong', newIp())
    const ofOther = await knownTo(other)
    const abroad = new BrowserAt(newIp(), elsewhere.realm.host)
    expect(await abroad.enter(stranger)).toBe(200)
    const madeUp = ['1.AAAA', abroad.cookies.get('known_browser')!, 'x'.repeat(3_000), '']
    for (const cookie of madeUp) {
      const browser = new BrowserAt(newIp())
      browser.cookies.set('known_browser', cookie)
      expect(await browser.enter(user)).toBe(429)
    }
    const away = new BrowserAt(newIp())
    away.cookies.set('known_browser', ofOther.cookies.get('known_browser')!)
    expect(await away.enter(user)).toBe(429)
    expect(await away.enter(other)).toBe(200)
  })

  it('use up no attempt of a user who is logged in and proves it again', async () => {
    const user = await buildUser(realm)
    for (let at = 0; at < 5; at += 1) await logIn(user.email, 'wrong', newIp())
    const change = (old_password: string) =>
      user.api.patch('/settings', { old_password, new_password: 'another fine password' })
    expect((await change('wrong')).body.msg).toBe('Wrong password!')
    expectSuccess(await change(PASSWORD))
  })
})

describe('wrong passwords with many names', () => {
  it('from one address lock out no browser that is known there', async () => {
    const [user, other] = [await buildUser(realm), await buildUser(realm)]
    const browser = new BrowserAt(newIp())
    browser.cookies.set('known_browser', (await knownTo(user)).cookies.get('known_browser')!)
    world.settings = { RATE_LIMIT_LOGIN_BY_IP: '2/1800' }
    for (let at = 0; at < 2; at += 1) await logIn(`nobody-${at}@${realm.host}`, 'wrong', browser.ip)
    expect((await logIn(other.email, PASSWORD, browser.ip)).status).toBe(429)
    expect(await browser.enter(user)).toBe(200)
  })

  it('from one address lock out nobody who has logged in there, in whichever browser', async () => {
    const [user, other] = [await buildUser(realm), await buildUser(realm)]
    const ip = newIp()
    expectSuccess(await logIn(user.email, PASSWORD, ip))
    await times(52, (at) => logIn(`anybody-${at}@${realm.host}`, 'wrong', ip))
    expect((await logIn(other.email, PASSWORD, ip)).status).toBe(429)
    expect(await new BrowserAt(ip).enter(user)).toBe(200)
    expectSuccess(await logIn(user.email, PASSWORD, ip))
  })

  it('from many addresses lock out no browser that is known, wherever it is', async () => {
    const user = await buildUser(realm)
    const browser = await knownTo(user)
    world.settings = { RATE_LIMIT_LOGIN_BY_STRANGERS: '2/1800' }
    for (let at = 0; at < 2; at += 1) await logIn(`no-one-${at}@${realm.host}`, 'wrong', newIp())
    const travelling = new BrowserAt(newIp())
    travelling.cookies.set('known_browser', browser.cookies.get('known_browser')!)
    expect((await logIn(user.email, PASSWORD, newIp())).status).toBe(429)
    expect(await travelling.enter(user)).toBe(200)
  })

  it('lock out no browser in which a new password was set by mail', async () => {
    const user = await buildUser(realm)
    const browser = new BrowserAt(newIp())
    world.settings = { RATE_LIMIT_LOGIN_BY_IP: '2/1800' }
    for (let at = 0; at < 2; at += 1) await logIn(`none-${at}@${realm.host}`, 'wrong', browser.ip)
    expect(await browser.enter(user)).toBe(429)
    const post = (path: string, fields: Record<string, string>) =>
      browser.ask('POST', path, { body: new URLSearchParams(fields) })
    await post('/accounts/password/reset/', { email: user.email })
    const { pathname } = new URL(await mailedLink(realm.host, user.email))
    expect((await post(pathname, { password: 'another fine one' })).status).toBe(200)
    expect(await browser.enter(user, 'another fine one')).toBe(200)
  })

  it('do not lock out an office in which everyone logs in at once', async () => {
    const office = newIp()
    const { realm: at } = await buildRealm()
    const people = await Promise.all(Array.from({ length: 8 }, () => buildUser(at)))
    world.settings = { RATE_LIMIT_LOGIN_BY_IP: '2/1800', RATE_LIMIT_LOGIN_BY_STRANGERS: '2/1800' }
    const answers = await Promise.all(people.map(({ email }) => logIn(email, PASSWORD, office, at)))
    expect(answers.map(({ status }) => status)).toEqual(people.map(() => 200))
  })
})

describe('mail that others of a network have asked for', () => {
  it('keeps nobody from a new password in a known browser, or known at that address', async () => {
    const [user, colleague, other] = [await buildUser(realm), await buildUser(realm), await buildUser(realm)]
    const browser = await knownTo(user)
    expectSuccess(await logIn(colleague.email, PASSWORD, browser.ip))
    const ask = (email: string) =>
      postForm(`http://${realm.host}/accounts/password/reset/`, { email }, browser.ip)
    world.settings = { RATE_LIMIT_MAIL_BY_IP: '5/86400' }
    // Two people have logged in there, so there is room for two more each.
    for (let at = 0; at < 9; at += 1) expect((await ask(`unknown-${at}@${realm.host}`)).status).toBe(200)
    expect((await ask(other.email)).status).toBe(429)
    expect((await ask(colleague.email)).status).toBe(200)
    const body = new URLSearchParams({ email: user.email })
    expect((await browser.ask('POST', '/accounts/password/reset/', { body })).status).toBe(200)
    expect(await mailsTo(realm.host, user.email)).not.toEqual([])
  })
})

describe('wrong codes from a caller who knows the password', () => {
  it('lock out no browser in which the owner has logged in before', async () => {
    const user = await buildUser(realm)
    const browser = await knownTo(user)
    const { app } = await withApp(user)
    const ask = (at: BrowserAt, path: string, fields: Record<string, string>) => {
      const headers = { Accept: 'application/json', Origin: at.origin }
      return at.ask('POST', path, { body: new URLSearchParams(fields), headers })
    }
    const enter = async (at: BrowserAt, codes: readonly string[]) => {
      const asked = await ask(at, '/accounts/login/', { username: user.email, password: PASSWORD })
      const { ticket } = (await readJson<{ second_factor: { ticket: string } }>(asked)).second_factor
      const statuses: number[] = []
      for (const code of codes) {
        statuses.push((await ask(at, '/accounts/login/second-factor/', { ticket, code })).status)
      }
      return statuses
    }
    const wrong = Array<string>(5).fill('000000')
    const thief = new BrowserAt(browser.ip)
    expect([...(await enter(thief, wrong)), ...(await enter(thief, wrong))]).not.toContain(429)
    expect(await enter(new BrowserAt(browser.ip), [app.code()])).toEqual([429])
    expect(await enter(browser, [app.code()])).toEqual([200])
  })
})
