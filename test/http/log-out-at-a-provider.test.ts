import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { Browser } from '../support/browsing.ts'
import { expectSuccess } from '../support/factories.ts'
import { type Person, standInForProvider } from '../support/identity-provider.ts'
import { readJson } from '../support/json.ts'
import { buildUnused, connectTo } from '../support/login-identities.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, owner } = useRealm()
const provider = standInForProvider(realm, { isFull: true })

let house: number
beforeAll(async () => {
  house = await provider.add(owner, 'house', { ends_session: true })
})

const change = async (settings: Record<string, string | boolean>) =>
  expectSuccess(await owner.api.patch(`/login_providers/${house}`, settings))

let people = 0
async function newPerson(more: Record<string, unknown> = {}): Promise<Person> {
  people += 1
  const { email } = await buildUnused(realm)
  return { sub: `subject-${people}`, email, email_verified: true, name: 'Ann', ...more }
}

/** Logs out as a client's form does, and returns where that leads. */
async function logOut(browser: Browser, headers: HeadersInit = {}): Promise<string | null> {
  const body = new URLSearchParams({ csrfmiddlewaretoken: browser.cookies.get('csrftoken') ?? '' })
  const response = await browser.ask('POST', '/accounts/logout/', { body, headers })
  expect(response.status).toBe(302)
  expect((await browser.json('GET', '/users/me')).status).toBe(401)
  return response.headers.get('location')
}

const AT_HOME = '/accounts/login/'

/** Returns the query of the address at which the provider ends its session. */
function atProvider(location: string | null): Record<string, string> {
  const { origin, pathname, searchParams } = new URL(location!)
  expect([origin, pathname]).toEqual([provider.issuer(), '/end'])
  return Object.fromEntries(searchParams)
}

describe('a log-out', () => {
  it('leads to the provider, with the session’s ID token and the way back', async () => {
    const person = await newPerson()
    const { browser } = await provider.logIn(person)
    const { id_token_hint, ...rest } = atProvider(await logOut(browser))
    expect(rest).toEqual({ client_id: 'parley', post_logout_redirect_uri: `http://${realm.host}/` })
    expect(decodeJwt(id_token_hint!)).toMatchObject({ sub: person.sub, iss: provider.issuer() })
    expect(browser.cookies.has('id_token')).toBe(false)
    const { login_providers } = expectSuccess(await owner.api.get('/login_providers'))
    expect(login_providers[0].post_logout_redirect_uri).toBe(rest.post_logout_redirect_uri)
  })

  it('gives a page that logs out by script the address', async () => {
    const { browser } = await provider.logIn(await newPerson())
    const body = new URLSearchParams({ csrfmiddlewaretoken: browser.cookies.get('csrftoken')! })
    const headers = { Accept: 'application/json' }
    const answer = await browser.ask('POST', '/accounts/logout/', { body, headers })
    const { result, provider_logout_url } = await readJson<{ result: string; provider_logout_url: string }>(
      answer,
    )
    expect([answer.status, result]).toEqual([200, 'success'])
    expect(atProvider(provider_logout_url).id_token_hint).toBeDefined()
    const again = await browser.ask('POST', '/accounts/logout/', { body, headers })
    expect(await readJson(again)).toMatchObject({ result: 'success', provider_logout_url: null })
  })

  it('keeps the ID token from all paths but its own, and from scripts', async () => {
    const browser = new Browser(realm.host)
    const sent = await browser.ask('GET', '/accounts/login/social/house')
    const path = provider.comeBack(sent.headers.get('location')!, await newPerson())
    const cookies = (await browser.ask('GET', path)).headers.getSetCookie()
    const [kept] = cookies.filter((cookie) => cookie.startsWith('id_token='))
    expect(kept).toMatch(/; Path=\/accounts\/logout; Max-Age=\d+; SameSite=Lax; HttpOnly$/)
    expect(kept).not.toContain('eyJ')
  })

  it('stays here unless the owner wants it to lead to the provider', async () => {
    const { browser } = await provider.logIn(await newPerson())
    await change({ ends_session: false })
    const { browser: later } = await provider.logIn(await newPerson())
    expect(later.cookies.has('id_token')).toBe(false)
    expect([await logOut(browser), await logOut(later)]).toEqual([AT_HOME, AT_HOME])
    await change({ ends_session: true })
  })

  it('stays here where the session began otherwise, and in the desktop app', async () => {
    const user = await buildUnused(realm)
    await connectTo(realm, house, user)
    const browser = new Browser(realm.host)
    await browser.logIn(user.email, 'a fine password')
    expect(await logOut(browser)).toBe(AT_HOME)
    const { browser: inApp } = await provider.logIn(await newPerson())
    expect(await logOut(inApp, { 'User-Agent': 'ZulipElectron/5.12.0' })).toBe(AT_HOME)
  })

  it('leads to the provider without an ID token that is another session’s, or too long', async () => {
    const [{ browser: one }, { browser: two }] = [
      await provider.logIn(await newPerson()),
      await provider.logIn(await newPerson()),
    ]
    one.cookies.set('id_token', two.cookies.get('id_token')!)
    expect(atProvider(await logOut(one)).id_token_hint).toBeUndefined()
    two.cookies.set('id_token', 'invented')
    expect(atProvider(await logOut(two)).id_token_hint).toBeUndefined()
    const { browser: long } = await provider.logIn(await newPerson({ more: 'x'.repeat(4_000) }))
    expect(long.cookies.has('id_token')).toBe(false)
    expect(atProvider(await logOut(long))).toEqual({
      client_id: 'parley',
      post_logout_redirect_uri: `http://${realm.host}/`,
    })
  })

  it('ends the session here although the provider cannot be asked', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { browser } = await provider.logIn(await newPerson())
    await change({ issuer: 'https://nowhere.example.com' })
    expect(await logOut(browser)).toBe(AT_HOME)
    await change({ issuer: provider.issuer() })
  })
})
