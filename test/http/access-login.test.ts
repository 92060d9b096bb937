import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Browser } from '../support/browsing.ts'
import { buildUser, expectSuccess } from '../support/factories.ts'
import { buildBot, changeRealm } from '../support/inside.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const AUD = 'f1e2d3c4'.repeat(8)
const PAD = '00ff102a'.repeat(8)

const { realm, owner } = useRealm()
/** The team of this test alone: an isolate keeps the keys of a team. */
let team: string
let teams = 0
/** Ids of the keys that the team shows. */
let keys: string[]
let fetches: number
let isDown: boolean

/** Keys of RSA take a while to make, so all tests have the same. */
const pairs = new Map<string, Promise<CryptoKeyPair>>()

function pairOf(name: string): Promise<CryptoKeyPair> {
  const made = pairs.get(name) ?? generateKeyPair('RS256', { extractable: true })
  pairs.set(name, made)
  return made
}

beforeEach(() => {
  teams += 1
  team = `team-${teams}.cloudflareaccess.com`
  world.settings = { ACCESS_TEAM_DOMAIN: team, ACCESS_AUD: `other ${AUD}` }
  keys = ['one']
  fetches = 0
  isDown = false
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (target) => {
    if (String(target) !== `https://${team}/cdn-cgi/access/certs`) throw new TypeError('no such host')
    fetches += 1
    if (isDown) return new Response('', { status: 503 })
    const shown = keys.map(async (kid) => ({
      ...(await exportJWK((await pairOf(kid)).publicKey)),
      kid,
      alg: 'RS256',
    }))
    return Response.json({ keys: await Promise.all(shown) })
  })
})
afterEach(() => {
  world.settings = {}
  vi.restoreAllMocks()
})

async function sign(claims: object, kid = 'one', by = kid): Promise<string> {
  const now = Math.floor(Date.now() / 1_000)
  const usual = { iss: `https://${team}`, aud: [AUD], iat: now, exp: now + 600, type: 'app', sub: 'a' }
  return new SignJWT({ ...usual, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid })
    .sign((await pairOf(by)).privateKey)
}

/** Comes through Access with a token. */
async function comeThrough(token: string | undefined, query = '') {
  const browser = new Browser(realm.host)
  const headers: HeadersInit = token === undefined ? [] : [['Cf-Access-Jwt-Assertion', token]]
  const answer = await browser.ask('GET', `/accounts/login/sso/${query}`, { headers })
  const text = await answer.text()
  return { browser, answer, status: answer.status, refusal: /role="alert">([^<]*)</.exec(text)?.[1] }
}

const entry = async () => expectSuccess(await owner.api.get('/audit_log', { limit: 1 })).entries[0]

describe('who comes through Cloudflare Access', () => {
  it('is logged in at once, and led to the page that was asked for', async () => {
    const user = await buildUser(realm)
    const { browser, answer } = await comeThrough(
      await sign({ email: user.email.toUpperCase() }),
      '?next=/de/',
    )
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/de/'])
    expect(expectSuccess(await browser.json('GET', '/users/me')).user_id).toBe(user.id)
    expect(await entry()).toMatchObject({ action: 'login', details: { user_id: user.id, method: 'access' } })
  })

  it('has proved who they are when Cloudflare Access let them through, not now', async () => {
    const user = await buildUser(realm)
    const now = Math.floor(Date.now() / 1_000)
    const proved = async (iat: number | undefined) => {
      const { browser } = await comeThrough(await sign({ email: user.email, iat }))
      return expectSuccess(await browser.json('GET', '/reauthentication')).proved_until as number | null
    }
    expect(await proved(now)).toBeGreaterThan(now)
    expect(await proved(now - 3_600)).toBeNull()
    expect(await proved(undefined)).toBeNull()
  })

  it('is counted at this door alone who comes without a token', async () => {
    const headers = { 'CF-Connecting-IP': '192.0.2.93' }
    const ask = (path: string) => new Browser(realm.host).ask('GET', path, { headers })
    for (let tried = 0; tried < 300; tried += 1) {
      expect((await ask('/accounts/login/sso/')).status).toBe(401)
    }
    expect((await ask('/accounts/login/sso/')).status).toBe(429)
    expect((await ask('/accounts/login/')).status).toBe(200)
    expect((await ask('/api/v1/users/me')).status).toBe(401)
  })

  it('is refused if a page embeds the door as a picture or frame', async () => {
    const token = await sign({ email: owner.email })
    for (const dest of ['image', 'iframe', 'empty']) {
      const browser = new Browser(realm.host)
      const headers = { 'Cf-Access-Jwt-Assertion': token, 'Sec-Fetch-Dest': dest }
      const { status } = await browser.ask('GET', '/accounts/login/sso/', { headers })
      expect([status, browser.cookies.size]).toEqual([400, 0])
    }
  })

  it('gets back to the app or to the desktop app', async () => {
    const token = await sign({ email: owner.email })
    const { answer } = await comeThrough(token, `?mobile_flow_otp=${PAD}`)
    expect(answer.headers.get('location')).toMatch(/^zulip:\/\/login\?/)
    expect((await comeThrough(token, `?desktop_flow_otp=${PAD}`)).status).toBe(200)
    expect((await comeThrough(token, '?mobile_flow_otp=abc')).status).toBe(400)
  })

  it('is refused with a token of another application or team, over, or not yet valid', async () => {
    const now = Math.floor(Date.now() / 1_000)
    const { email } = owner
    const wrong = [
      { aud: ['another'] },
      { aud: undefined },
      { iss: 'https://other.cloudflareaccess.com' },
      { exp: now - 300 },
      { exp: undefined },
      { nbf: now + 300 },
    ]
    for (const claims of wrong) {
      const { status, refusal, browser } = await comeThrough(await sign({ email, ...claims }))
      expect([status, refusal, browser.cookies.size]).toEqual([
        401,
        expect.stringContaining('Cloudflare Access didn’t let you through'),
        0,
      ])
    }
    expect(await entry()).toMatchObject({
      action: 'login_failed',
      details: { user_id: null, method: 'access' },
    })
  })

  it('is refused without a token, without a signature, or with another key', async () => {
    const { email } = owner
    const now = Math.floor(Date.now() / 1_000)
    const unsigned = new UnsecuredJWT({ email, iss: `https://${team}`, aud: AUD, exp: now + 60 }).encode()
    const bySecret = await new SignJWT({ email, iss: `https://${team}`, aud: AUD, exp: now + 60 })
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(new TextEncoder().encode('x'.repeat(32)))
    const forged = await sign({ email }, 'one', 'forged')
    const long = `${await sign({ email })}.${'x'.repeat(16_000)}`
    for (const token of [undefined, 'a.b.c', unsigned, bySecret, forged, long]) {
      expect((await comeThrough(token)).status).toBe(401)
    }
  })

  it('is refused at this door alone where too many of the network come with garbage', async () => {
    const at = (ip: string) => ({ headers: { 'CF-Connecting-IP': ip } })
    const ask = (path: string, headers: Record<string, string>, ip: string) =>
      new Browser(realm.host).ask('GET', path, { headers: { ...headers, ...at(ip).headers } })
    const garbage = (ip: string) => ask('/accounts/login/sso/', { 'Cf-Access-Jwt-Assertion': 'a.b.c' }, ip)
    isDown = true
    world.settings = { ...world.settings, LOG: 'off' }
    for (let tried = 0; tried < 300; tried += 1) expect((await garbage('192.0.2.90')).status).toBe(503)
    const asked = fetches
    expect((await garbage('192.0.2.90')).status).toBe(429)
    expect(fetches).toBe(asked)
    expect((await garbage('192.0.2.91')).status).toBe(503)
    expect((await ask('/accounts/login/', {}, '192.0.2.90')).status).toBe(200)
  })

  it('has keys fetched once, and again for an unknown one once a minute', async () => {
    const { email } = owner
    for (let n = 0; n < 3; n += 1) expect((await comeThrough(await sign({ email }))).status).toBe(302)
    expect(fetches).toBe(1)
    keys.push('two')
    expect((await comeThrough(await sign({ email }, 'two'))).status).toBe(302)
    expect(fetches).toBe(2)
    const invented = () => sign({ email }, 'invented', 'forged')
    for (let n = 0; n < 3; n += 1) expect((await comeThrough(await invented())).status).toBe(401)
    expect(fetches).toBe(2)
  })

  it('waits for Cloudflare while its keys cannot be fetched', async () => {
    isDown = true
    const { status, refusal } = await comeThrough(await sign({ email: owner.email }))
    expect([status, refusal]).toEqual([503, 'Cloudflare Access isn’t responding. Try again in a moment.'])
  })

  it('does not get an account whose address was never confirmed', async () => {
    const { id, email } = await buildUser(realm)
    await changeRealm(realm, ({ sql }) => {
      sql.run(`UPDATE user SET is_email_confirmed = 0 WHERE id = ?`, id)
    })
    const { status, refusal } = await comeThrough(await sign({ email }))
    expect([status, refusal]).toEqual([403, expect.stringContaining(`no account for ${email}`)])
  })

  it('gets a used account by no unconfirmed address that others have set', async () => {
    const user = await buildUser(realm)
    const email = `set-${user.email}`
    expectSuccess(await owner.api.patch(`/users/${user.id}`, { new_email: email }))
    expect((await comeThrough(await sign({ email }))).status).toBe(403)
    await new Browser(realm.host).logIn(email, 'a fine password')
    expect((await comeThrough(await sign({ email }))).status).toBe(302)
  })

  it('is a person with an account: no service, bot, stranger or closed account', async () => {
    const service = await comeThrough(await sign({ common_name: 'a service', sub: '' }))
    expect([service.status, service.refusal]).toEqual([403, expect.stringContaining('a service')])
    const bot = await buildBot(realm, owner)
    for (const email of ['nobody@example.com', bot.email]) {
      const { status, refusal } = await comeThrough(await sign({ email }))
      expect([status, refusal]).toEqual([403, expect.stringContaining(`no account for ${email}`)])
    }
    const closed = await buildUser(realm)
    expectSuccess(await owner.api.delete(`/users/${closed.id}`))
    expect((await comeThrough(await sign({ email: closed.email }))).status).toBe(401)
  })
})

describe('Cloudflare Access', () => {
  it('is a method only if the deployment has it', async () => {
    const way = {
      name: 'remoteuser',
      display_name: 'Cloudflare Access',
      display_icon: null,
      login_url: '/accounts/login/sso/',
      signup_url: '/accounts/login/sso/',
    }
    const settings = async () => expectSuccess(await realm.anonymous.get('/server_settings'))
    expect(await settings()).toMatchObject({
      authentication_methods: { remoteuser: true },
      external_authentication_methods: [way],
    })
    const { snapshot } = await openQueue(owner)
    expect(snapshot.realm_authentication_methods.RemoteUser).toEqual({ enabled: true, available: true })
    const token = await sign({ email: owner.email })
    const incomplete: Record<string, string>[] = [{}, { ACCESS_TEAM_DOMAIN: team }, { ACCESS_AUD: AUD }]
    for (const wrong of incomplete) {
      world.settings = wrong
      expect(await settings()).toMatchObject({
        authentication_methods: { remoteuser: false },
        external_authentication_methods: [],
      })
      expect((await comeThrough(token)).status).toBe(404)
    }
  })

  it('lets nobody in where the owners have turned it off, and everybody learns', async () => {
    const admin = await buildUser(realm, { role: 200 })
    const turn = (RemoteUser: boolean, who = owner) =>
      who.api.patch('/realm', { authentication_methods: { Email: true, RemoteUser } })
    expect((await turn(false, admin)).status).toBe(400)
    const queue = await openQueue(owner)
    expectSuccess(await turn(false))
    const [event] = await queue.eventsOf('realm')
    expect(event!.data.authentication_methods.RemoteUser).toEqual({ enabled: false, available: true })
    const { snapshot } = await openQueue(admin)
    expect(snapshot.realm_authentication_methods.RemoteUser).toEqual({ enabled: false, available: true })
    expect(expectSuccess(await realm.anonymous.get('/server_settings'))).toMatchObject({
      authentication_methods: { remoteuser: false },
      external_authentication_methods: [],
    })
    const { status, refusal, browser } = await comeThrough(await sign({ email: owner.email }))
    expect([status, refusal, browser.cookies.size]).toEqual([
      404,
      'Cloudflare Access isn’t set up here. Log in another way.',
      0,
    ])
    expectSuccess(await turn(true))
    expect((await comeThrough(await sign({ email: owner.email }))).status).toBe(302)
  })

  it('is no way in for an owner once it is off itself', async () => {
    const one = 'At least one authentication method must be enabled.'
    const turn = (authentication_methods: object) =>
      owner.api.patch('/realm', { authentication_methods: { ...authentication_methods } })
    await comeThrough(await sign({ email: owner.email }))
    expect((await turn({ Email: false, RemoteUser: false, GitHub: true })).body.msg).toBe(one)
    expectSuccess(await turn({ Email: false }))
    expect((await turn({ RemoteUser: false, GitHub: true })).body.msg).toBe(one)
    expect((await turn({ RemoteUser: false })).body.msg).toBe(one)
    expectSuccess(await turn({ Email: true }))
  })

  it('lets an owner turn passwords off who has come through it', async () => {
    const off = { authentication_methods: { Email: false, 'OpenID Connect': true } }
    const other = await buildUser(realm, { role: 100 })
    expect((await other.api.patch('/realm', off)).status).toBe(400)
    expect((await comeThrough(await sign({ email: other.email }))).status).toBe(302)
    expectSuccess(await other.api.patch('/realm', off))
    expectSuccess(await other.api.patch('/realm', { authentication_methods: { Email: true } }))
  })
})
