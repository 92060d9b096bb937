import { beforeAll, describe, expect, it } from 'vitest'
import { Browser } from '../support/browsing.ts'
import { expectSuccess } from '../support/factories.ts'
import { mailedLink, visit } from '../support/pages.ts'
import { turnRealmSettings } from '../support/realm-settings.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm } = useRealm()
let link: string
let networks = 1
beforeAll(async () => {
  const made = await realm.owner.api.post('/invites/multiuse', { stream_ids: [] })
  link = new URL(expectSuccess(made).invite_link).pathname
})

/** Opens the page behind the link that is mailed to the address which was typed, and sends its form. */
async function join(browser: Browser, name: string, headers: Record<string, string>): Promise<Response> {
  const email = `${name.toLowerCase()}@example.com`
  const ip = `192.0.2.${networks++}`
  await browser.ask('POST', link, {
    body: new URLSearchParams({ email }),
    headers: { ...headers, 'CF-Connecting-IP': ip },
  })
  const body = new URLSearchParams({ full_name: `${name} New`, password: 'a very fine password' })
  return browser.ask('POST', new URL(await mailedLink(realm.host, email)).pathname, { body, headers })
}

describe('a user who joins', () => {
  it('is logged in at once, by the form of our own page', async () => {
    const browser = new Browser(realm.host)
    const joined = await join(browser, 'Dora', { Origin: browser.origin })
    expect([joined.status, joined.headers.get('location')]).toEqual([302, '/'])
    expect(expectSuccess(await browser.json('GET', '/users/me'))).toMatchObject({ full_name: 'Dora New' })
  })

  it.each([
    ['another site', { Origin: 'https://evil.example.com' }],
    ['another site, as newer browsers say it', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a program', {}],
  ])('gets an account but no session by a form of %s', async (_who, headers) => {
    const browser = new Browser(realm.host)
    const joined = await join(browser, `No${Object.keys(headers)[0] ?? ''}`, headers)
    expect([joined.status, browser.cookies.size]).toEqual([200, 0])
  })

  it('is asked for no password where nobody can log in with one', async () => {
    const methods = { Email: true, 'OpenID Connect': true, GitHub: true, RemoteUser: true }
    await turnRealmSettings(realm, { authentication_methods: { ...methods, Email: false } })
    const browser = new Browser(realm.host)
    const email = 'by-sso@example.com'
    await browser.ask('POST', link, { body: new URLSearchParams({ email }) })
    const mailed = await mailedLink(realm.host, email)
    expect((await visit(mailed)).text).not.toContain('name="password"')
    const body = new URLSearchParams({ full_name: 'Sofia Sso', password: 'a very fine password' })
    const joined = await browser.ask('POST', new URL(mailed).pathname, {
      body,
      headers: { Origin: browser.origin },
    })
    await turnRealmSettings(realm, { authentication_methods: methods })
    expect([joined.status, browser.cookies.size]).toEqual([200, 0])
    const login = { username: email, password: 'a very fine password' }
    expect((await realm.anonymous.post('/fetch_api_key', login)).body.code).toBe('AUTHENTICATION_FAILED')
    const { members } = expectSuccess(await realm.owner.api.get('/users'))
    expect(members).toContainEqual(expect.objectContaining({ full_name: 'Sofia Sso', is_active: true }))
  })

  it('gets the page in the browser’s first supported language', async () => {
    const lang = async (wanted: string) => {
      const { text } = await visit(`http://${realm.host}${link}`, { headers: { 'Accept-Language': wanted } })
      return /<html lang="(\w+)">/.exec(text)![1]
    }
    expect(await lang('nl-NL,de-AT;q=0.8,fr;q=0.5')).toBe('de')
    expect(await lang('fr-FR,de-AT;q=0.8,en;q=0.5')).toBe('fr')
    expect(await lang('xx')).toBe('en')
  })

  it('gets an account in that language, or else in the organization’s', async () => {
    const languageOf = async (name: string, wanted: string) => {
      const browser = new Browser(realm.host)
      await join(browser, name, { Origin: browser.origin, 'Accept-Language': wanted })
      const registered = await browser.json('POST', '/register', { fetch_event_types: ['user_settings'] })
      return expectSuccess(registered).user_settings.default_language
    }
    expectSuccess(await realm.owner.api.patch('/realm', { default_language: 'fr' }))
    expect(await languageOf('Gerda', 'de-AT,en;q=0.5')).toBe('de')
    expect(await languageOf('Emma', 'en-GB')).toBe('en')
    expect(await languageOf('Ximena', 'xx')).toBe('fr')
  })
})
