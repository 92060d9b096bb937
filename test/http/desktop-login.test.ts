import { describe, expect, it } from 'vitest'
import { Browser } from '../support/browsing.ts'
import { decryptedFor } from '../support/desktop-app.ts'
import { buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { type Page, postForm, visit } from '../support/pages.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const KEY = '0f1e2d3c'.repeat(8)
const PASSWORD = 'a fine password'

const { realm } = useRealm()
const { realm: other } = useRealm()

const address = (key = KEY) => `http://${realm.host}/accounts/login/?desktop_flow_otp=${key}`

function logIn(user: TestUser): Promise<Page> {
  return postForm(address(), { email: user.email, password: PASSWORD })
}

function tokenOn({ text }: Page, key = KEY): string {
  return decryptedFor(key, text)
}

const endOf = (token: string, next = '') => `/accounts/login/subdomain/${token}${next}`

/** Opens an address in the app, which has begun the log-in. */
async function enter(path: string, headers: Record<string, string> = {}, host = realm.host) {
  const browser = new Browser(host)
  const app = { ...headers, 'Sec-Fetch-Site': 'none', 'User-Agent': 'ZulipElectron/5.12.0' }
  await browser.ask('GET', '/accounts/login/social/house', { headers: app })
  return { browser, answer: await browser.ask('GET', path, { headers }) }
}

describe('the log-in in another browser, for the desktop app', () => {
  it('shows what the app alone can read, and begins no session in that browser', async () => {
    const user = await buildUser(realm)
    const shown = await visit(address())
    expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('type="password"')])
    const page = await logIn(user)
    // It only becomes known.
    expect([page.status, page.headers.getSetCookie()]).toEqual([
      200,
      [expect.stringMatching(/^known_browser=[\w.-]+; Path=\/; Max-Age=34560000; SameSite=Lax; HttpOnly$/)],
    ])
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';")
    const token = tokenOn(page)
    expect(page.text).not.toContain(token)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(tokenOn(await logIn(user))).not.toBe(token)
    expect(() => tokenOn(page, '00'.repeat(32))).toThrow()
  })

  it('begins the session of the app, once, and leads to its page', async () => {
    const user = await buildUser(realm)
    const path = endOf(tokenOn(await logIn(user)), '/?next=%2Fde%2F')
    const { browser, answer } = await enter(path)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/de/'])
    expect(expectSuccess(await browser.json('GET', '/users/me')).user_id).toBe(user.id)
    const again = await enter(path)
    expect([again.answer.status, again.browser.cookies.has('sessionid')]).toEqual([400, false])
    expect(await again.answer.text()).toContain('This link has expired or was already used.')
  })

  it('leads to no other site', async () => {
    const token = tokenOn(await logIn(await buildUser(realm)))
    const { answer } = await enter(endOf(token, '?next=//elsewhere.example'))
    expect(answer.headers.get('location')).toBe('/')
  })

  it('ends after five minutes', async () => {
    const user = await buildUser(realm)
    const [first, second] = [tokenOn(await logIn(user)), tokenOn(await logIn(user))]
    world.clockOffset = 270
    expect((await enter(endOf(first))).answer.status).toBe(302)
    world.clockOffset = 301
    expect((await enter(endOf(second))).answer.status).toBe(400)
    world.clockOffset = 0
  })

  it('begins no session by a link of another site, nor in another organization', async () => {
    const token = tokenOn(await logIn(await buildUser(realm)))
    const linked = await enter(endOf(token), { 'Sec-Fetch-Site': 'cross-site' })
    expect([linked.answer.status, linked.browser.cookies.has('sessionid')]).toEqual([403, false])
    const elsewhere = await enter(endOf(token), {}, other.host)
    expect([elsewhere.answer.status, elsewhere.browser.cookies.has('sessionid')]).toEqual([400, false])
    expect((await enter(endOf(token), { 'Sec-Fetch-Site': 'same-origin' })).answer.status).toBe(302)
  })

  it('begins no session by a link, picture or frame on one of our own pages', async () => {
    const token = tokenOn(await logIn(await buildUser(realm)))
    const linked = new Browser(realm.host)
    const headers = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Dest': 'document' }
    expect((await linked.ask('GET', endOf(token), { headers })).status).toBe(400)
    expect(linked.cookies.size).toBe(0)
    for (const dest of ['image', 'iframe', 'empty']) {
      const shown = await enter(endOf(token), { ...headers, 'Sec-Fetch-Dest': dest })
      expect([shown.answer.status, shown.browser.cookies.has('sessionid')]).toEqual([400, false])
    }
    const opened = await enter(endOf(token), headers)
    expect([opened.answer.status, opened.browser.cookies.has('desktop_login')]).toEqual([302, false])
  })

  it('begins no session of a closed account, or after a new password', async () => {
    const closed = await buildUser(realm)
    const token = tokenOn(await logIn(closed))
    expectSuccess(await realm.owner.api.delete(`/users/${closed.id}`))
    expect((await enter(endOf(token))).answer.status).toBe(400)
    const careful = await buildUser(realm)
    const second = tokenOn(await logIn(careful))
    const changed = { old_password: PASSWORD, new_password: 'another fine password' }
    expectSuccess(await careful.api.patch('/settings', changed))
    expect((await enter(endOf(second))).answer.status).toBe(400)
  })

  it('keeps ten of an account: the eleventh ends the first', async () => {
    const user = await buildUser(realm)
    const tokens: string[] = []
    for (let n = 0; n <= 10; n += 1) {
      tokens.push(tokenOn(await logIn(user)))
      world.clockOffset += 1
    }
    expect((await enter(endOf(tokens[0]!))).answer.status).toBe(400)
    expect((await enter(endOf(tokens[1]!))).answer.status).toBe(302)
    world.clockOffset = 0
  })

  it('takes no token from a network that has made up three hundred', async () => {
    const at = { 'CF-Connecting-IP': '192.0.2.92' }
    for (let tried = 0; tried < 300; tried += 1) await enter(endOf(`made-up-${tried}`), at)
    const token = tokenOn(await logIn(await buildUser(realm)))
    const refused = await enter(endOf(token), at)
    expect([refused.answer.status, Number(refused.answer.headers.get('retry-after')) > 0]).toEqual([
      429,
      true,
    ])
    const page = await new Browser(realm.host).ask('GET', '/accounts/login/', { headers: at })
    expect(page.status).toBe(200)
    expect((await enter(endOf(token))).answer.status).toBe(302)
  })

  it.each(['abc', `${KEY}00`, KEY.replace('f', 'g'), ''])('refuses the key "%s"', async (key) => {
    expect((await visit(address(key))).status).toBe(400)
    const user = await buildUser(realm)
    const posted = await postForm(address(key), { email: user.email, password: PASSWORD })
    expect([posted.status, posted.text]).toEqual([400, expect.not.stringContaining('name="token"')])
  })
})
