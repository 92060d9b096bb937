import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import type { CreatedOrganization } from '../../scripts/organizations.ts'
import { fromJson, type Json, readJson } from '../support/json.ts'
import { found } from './found.ts'
import { type IdentityProvider, PlainBrowser, startIdentityProvider } from './identity-provider.ts'

const CLIENT = { client_id: 'parley', client_secret: 'a secret of the provider' }
const PAD = 'ab'.repeat(32)

let idp: IdentityProvider
let other: IdentityProvider
/** A provider whose metadata also lists signing without a key pair, and which names itself in the callback. */
let odd: IdentityProvider
let server: LocalServer
let owner: CreatedOrganization

beforeAll(async () => {
  idp = await startIdentityProvider()
  other = await startIdentityProvider()
  odd = await startIdentityProvider()
  server = await startLocalServer({
    vars: {
      LOG: 'troubles',
      WEBHOOK_ALLOWED_HOSTS: [idp, other, odd].map(({ host }) => host).join(' '),
      OWNER_ACCOUNT_ACCESS: '127.0.0.1 localhost',
    },
  })
  owner = await found(server)
  await addProvider('house', idp.issuer)
  await addProvider('other', other.issuer)
  await addProvider('odd', odd.issuer)
}, 120_000)

afterAll(async () => {
  await server?.stop()
  await idp?.stop()
  await other?.stop()
  await odd?.stop()
}, 60_000)

beforeEach(() => {
  idp.reset()
  other.reset()
  odd.reset()
  odd.describe = (metadata) =>
    Object.assign(metadata, {
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      authorization_response_iss_parameter_supported: true,
    })
})

async function api(method: string, path: string, fields: Record<string, unknown> = {}): Promise<Json> {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const response = await fetch(`${server.url}/api/v1${path}${method === 'GET' ? `?${form}` : ''}`, {
    method,
    headers: { Authorization: `Basic ${btoa(`${owner.email}:${owner.api_key}`)}` },
    ...(method === 'GET' ? {} : { body: form }),
  })
  return readJson(response)
}

async function addProvider(
  slug: string,
  issuer: string,
  more: Record<string, unknown> = {},
): Promise<number> {
  const asked = { slug, display_name: `The ${slug}`, issuer, ...CLIENT, is_enabled: true, ...more }
  const { id, msg } = await api('POST', '/login_providers', asked)
  expect(msg).toBe('')
  return id
}

const startOf = (slug: string, query = '') => `${server.url}/accounts/login/social/${slug}${query}`

/** Logs in from the start to the end, as a browser does. */
async function logIn({
  slug = 'house',
  query = '',
  back = (address: URL) => address,
  browser = new PlainBrowser(),
} = {}) {
  const address = back(new URL(await browser.goToProvider(startOf(slug, query))))
  const response = await browser.get(address.href)
  return { response, browser, address, page: await response.clone().text() }
}

/** Returns the status of a refusal, and the sentence on its page. */
async function refusalOf(begun: ReturnType<typeof logIn>): Promise<string> {
  const { response, browser, page } = await begun
  expect(response.headers.get('Location')).toBeNull()
  expect(browser.cookies.has('sessionid')).toBe(false)
  return `${response.status} ${/role="alert">([^<]*)</.exec(page)?.[1]}`
}

const INVALID =
  '400 The response from The house can’t be accepted. Ask an administrator of this organization: the audit log says why.'
const EXPIRED = '400 This login has expired or was started in another browser. Start again.'

/** Returns the reason that the audit log has for the newest failed log-in. */
async function newestProblem(): Promise<string> {
  const { entries } = await api('GET', '/audit_log', { limit: 1 })
  expect(entries[0]).toMatchObject({ action: 'login_failed', actor_id: null })
  return entries[0].details.because
}

describe('a log-in at a provider', () => {
  it('logs the browser in, and leads to the requested page', async () => {
    const { response, browser } = await logIn({ query: '?next=/%23inbox' })
    expect(response.status).toBe(302)
    expect(response.headers.get('Location')).toBe('/#inbox')
    const own = await browser.get(`${server.url}/json/users/me`)
    expect(await readJson(own)).toMatchObject({ result: 'success', delivery_email: owner.email })
  })

  it('gives the key to the app that made the pad, byte for byte', async () => {
    const { response, browser } = await logIn({ query: `?mobile_flow_otp=${PAD}` })
    const encrypted = [...owner.api_key]
      .map((char) => (char.charCodeAt(0) ^ 0xab).toString(16).padStart(2, '0'))
      .join('')
    const answer = new URLSearchParams({
      realm: server.url,
      email: owner.email,
      user_id: String(owner.user_id),
      otp_encrypted_api_key: encrypted,
    })
    expect(response.headers.get('Location')).toBe(`zulip://login?${answer}`)
    // The browser has no session; it is only remembered.
    expect([...browser.cookies.keys()]).toEqual(['known_browser'])
  })

  it('requests a code with PKCE, without revealing the destination to the provider', async () => {
    const sent = await new PlainBrowser().get(startOf('house', `?mobile_flow_otp=${PAD}`))
    const asked = new URL(sent.headers.get('Location')!)
    expect(asked.origin).toBe(idp.issuer)
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      response_type: 'code',
      client_id: CLIENT.client_id,
      redirect_uri: `${server.url}/complete/house/`,
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      max_age: String(365 * 86_400),
    })
    const cookie = sent.headers.getSetCookie().join()
    expect(cookie).toMatch(/^login_flow=1\.[\w-]+; Path=\/; Max-Age=600; SameSite=Lax; HttpOnly$/)
    expect(cookie).not.toContain(PAD)
  })

  it.each([
    '//evil.example',
    '/\\evil.example',
    'zulip://login',
    'https://evil.example/',
    '/..//evil.example',
  ])('leads to no page elsewhere: %s', async (next) => {
    const { response } = await logIn({ query: `?next=${encodeURIComponent(next)}` })
    expect(response.headers.get('Location')).toBe('/')
  })

  it('reads the address from UserInfo if the ID token has none', async () => {
    idp.change = ({ payload }) => {
      delete payload.email
      delete payload.email_verified
    }
    idp.info = { sub: 'subject-1', email: owner.email, email_verified: true }
    expect((await logIn()).response.status).toBe(302)
    idp.info = { sub: 'somebody else', email: owner.email, email_verified: true }
    expect(await refusalOf(logIn())).toBe(INVALID)
  })

  it('tolerates clocks that differ by less than a minute', async () => {
    idp.change = ({ payload }) => Object.assign(payload, { exp: payload.iat - 40 })
    expect((await logIn()).response.status).toBe(302)
    idp.change = ({ payload }) => Object.assign(payload, { iat: payload.iat + 40 })
    expect((await logIn()).response.status).toBe(302)
  })
})

describe('an ID token is refused', () => {
  it.each<[string, (claims: Record<string, unknown> & { iat: number }) => void, string]>([
    ['that is over', (claims) => Object.assign(claims, { exp: claims.iat - 90 }), 'exp'],
    ['of a later time', (claims) => Object.assign(claims, { iat: claims.iat + 300 }), 'iat'],
    ['for another client', (claims) => Object.assign(claims, { aud: 'other' }), 'aud'],
    ['for several clients', (claims) => Object.assign(claims, { aud: ['parley', 'other'] }), 'aud'],
    ['that another client has asked for', (claims) => Object.assign(claims, { azp: 'other' }), 'azp'],
    ['with another nonce', (claims) => Object.assign(claims, { nonce: 'other' }), 'nonce'],
    ['of another issuer', (claims) => Object.assign(claims, { iss: other.issuer }), 'iss'],
    ['without a subject', (claims) => Object.assign(claims, { sub: '' }), 'sub'],
    ['with a subject of 300 characters', (claims) => Object.assign(claims, { sub: 'x'.repeat(300) }), 'sub'],
  ])('%s', async (_, change, word) => {
    idp.change = ({ payload }) => change(payload)
    expect(await refusalOf(logIn())).toBe(INVALID)
    expect(await newestProblem()).toContain(word)
  })

  it.each(['none', 'HS256'])('with the algorithm %s, even if its provider announces that', async (alg) => {
    odd.answer = (response) => {
      const body = response.body as Record<string, string>
      const claims = fromJson<Json>(Buffer.from(body.id_token!.split('.')[1]!, 'base64url').toString())
      body.id_token = alg === 'none' ? new UnsecuredJWT(claims).encode() : signedWithSecret(claims)
    }
    const back = (address: URL) => withIssuer(address, odd.issuer)
    expect(await refusalOf(logIn({ slug: 'odd', back }))).toBe(INVALID.replace('house', 'odd'))
  })

  it('with a signature of another key', async () => {
    const jwk = {
      ...(await exportJWK((await generateKeyPair('RS256')).publicKey)),
      kid: 'another',
      alg: 'RS256',
    }
    idp.change = ({ header }) => Object.assign(header, { kid: 'another' })
    idp.paths.set('/jwks', (_, response) => {
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ keys: [...idp.server.issuer.keys.toJSON(), jwk] }))
    })
    expect(await refusalOf(logIn())).toBe(INVALID)
    expect(await newestProblem()).toContain('signature')
  })
})

function withIssuer(address: URL, issuer: string): URL {
  address.searchParams.set('iss', issuer)
  return address
}

function signedWithSecret(claims: Json): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS256' })}.${part(claims)}`
  return `${signed}.${createHmac('sha256', CLIENT.client_secret).update(signed).digest('base64url')}`
}

describe('the callback', () => {
  it('is for the browser that began the log-in', async () => {
    const address = await new PlainBrowser().goToProvider(startOf('house'))
    for (const browser of [new PlainBrowser(), await begun('house')]) {
      expect(await refusalOf(comeBack(browser, address))).toBe(EXPIRED)
    }
    expect(idp.asked).not.toContain('/token')
  })

  it('of one provider completes no log-in at another', async () => {
    const browser = new PlainBrowser()
    const address = await browser.goToProvider(startOf('house'))
    expect(await refusalOf(comeBack(browser, address.replace('/complete/house', '/complete/other')))).toBe(
      EXPIRED,
    )
  })

  it('is refused with the issuer of another provider', async () => {
    const back = (address: URL) => withIssuer(address, other.issuer)
    expect(await refusalOf(logIn({ back }))).toBe(INVALID)
    expect(await refusalOf(logIn({ slug: 'odd' }))).toBe(INVALID.replace('house', 'odd'))
    const { response } = await logIn({ slug: 'odd', back: (address) => withIssuer(address, odd.issuer) })
    // The account already belongs to the other provider's person.
    expect(response.status).toBe(302)
  })

  it('counts once, even if the browser keeps the used cookie', async () => {
    const browser = new PlainBrowser()
    const address = await browser.goToProvider(startOf('house'))
    const kept = new Map(browser.cookies)
    expect((await browser.get(address)).status).toBe(302)
    expect(browser.cookies.has('login_flow')).toBe(false)
    const again = new PlainBrowser()
    expect(await refusalOf(comeBack(again, address))).toBe(EXPIRED)
    for (const [name, value] of kept) again.cookies.set(name, value)
    expect(await refusalOf(comeBack(again, address))).toBe(INVALID)
  })

  it('with a changed cookie completes nothing', async () => {
    const browser = new PlainBrowser()
    const address = await browser.goToProvider(startOf('house'))
    const sealed = browser.cookies.get('login_flow')!
    const at = sealed.length - 20
    browser.cookies.set(
      'login_flow',
      `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`,
    )
    expect(await refusalOf(comeBack(browser, address))).toBe(EXPIRED)
  })

  it('with an error of the provider shows that the log-in failed', async () => {
    const back = (address: URL) => {
      address.searchParams.delete('code')
      address.searchParams.set('error', '<b>access_denied')
      return address
    }
    expect(await refusalOf(logIn({ back }))).toBe(
      '400 The house didn’t let you in. Start again, or choose another way to log in.',
    )
    expect(await newestProblem()).toBe('declined: unknown')
  })
})

describe('keys of the provider', () => {
  it('that are new are fetched when a token names one, at most once a minute', async () => {
    await logIn({ slug: 'other' })
    other.asked.length = 0
    const { kid } = await other.server.issuer.keys.generate('RS256')
    other.change = ({ header }) => Object.assign(header, { kid: 'invented' })
    for (const _ of [1, 2, 3]) await refusalOf(logIn({ slug: 'other' }))
    expect(other.asked.filter((path) => path === '/jwks')).toHaveLength(1)
    other.change = () => {}
    // The provider signs with its keys in turn, so the new one is known by now.
    const statuses = []
    for (const _ of [1, 2]) statuses.push((await logIn({ slug: 'other' })).response.status)
    expect(statuses).toEqual([302, 302])
    expect(kid).toBeDefined()
  })
})

const DECLINED = '400 The house didn’t let you in. Start again, or choose another way to log in.'
const UNREACHABLE =
  '503 The house isn’t responding. Try again in a few minutes, or choose another way to log in.'

describe('a provider', () => {
  it.each([
    ['is down', 503, '', UNREACHABLE],
    ['redirects', 302, '', INVALID],
    ['answers no JSON', 200, '<html>', INVALID],
    ['answers without end', 200, 'x'.repeat(2_000_000), INVALID],
    ['answers a deep text', 200, '['.repeat(200_000), INVALID],
    ['refuses the code', 400, '{"error":"invalid_grant"}', DECLINED],
  ])('whose token endpoint %s lets nobody in', async (_, status, body, sentence) => {
    idp.paths.set('/token', (_request, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json', Location: `${other.issuer}/token` })
      response.end(body)
    })
    expect(await refusalOf(logIn())).toBe(sentence)
    expect(other.asked).toEqual([])
  })

  const FAILURES: Record<string, (response: ServerResponse) => void> = {
    'is down': (response) => response.writeHead(503).end(),
    'has too much to do': (response) => response.writeHead(429).end(),
    'cuts the connection': (response) => response.socket?.destroy(),
    'breaks off in its answer': (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 500 }).write('{')
      response.socket?.end()
    },
    'does not answer': () => {},
    'does not end its answer': (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('{')
    },
  }
  const ENDPOINTS = ['/.well-known/openid-configuration', '/token', '/jwks', '/userinfo']

  it.each(
    ENDPOINTS.flatMap((endpoint) => Object.keys(FAILURES).map((failure) => [endpoint, failure] as const)),
  )('whose %s %s lets nobody wait for long, and says what to do', async (endpoint, failure) => {
    const path = await becomeAnother()
    idp.paths.set(`${path}${endpoint}`, (_, response) => FAILURES[failure]!(response))
    const begun = endpoint.startsWith('/.well') ? beginAlone('fresh') : logIn({ slug: 'fresh' })
    expect(await refusalOf(begun)).toBe(UNREACHABLE.replace('house', 'fresh'))
    expect(await newestProblem()).toMatch(/^unreachable: /)
  })

  it('that is slow at every step has one timeout overall', async () => {
    const path = await becomeAnother()
    for (const endpoint of ENDPOINTS.slice(1)) delay(`${path}${endpoint}`, 4_000)
    expect(await refusalOf(logIn({ slug: 'fresh' }))).toBe(UNREACHABLE.replace('house', 'fresh'))
  })

  it('may send long and odd claims about a person', async () => {
    idp.claims = {
      name: 'x'.repeat(20_000),
      groups: Array(3_000).fill('y'),
      roles: 'z'.repeat(9_000),
      picture: { a: 1 },
    }
    expect((await logIn()).response.status).toBe(302)
    idp.claims = { email: `${'x'.repeat(10_000)}@example.com`, sub: 'subject-9' }
    // An address that is too long counts as none, so that it is looked for there.
    idp.info = { sub: 'subject-9' }
    expect(await refusalOf(logIn())).toMatch(/^403 The house didn’t share your email address/)
  })

  it('serves a whole office that logs in at nine', async () => {
    const logIns = await Promise.all(Array.from({ length: 300 }, () => logIn()))
    const statuses = new Set(logIns.map(({ response }) => response.status))
    expect(statuses).toContain(302)
    // On a busy machine the provider, which runs there too, may be too slow for some log-ins.
    expect([...statuses].filter((status) => status !== 302 && status !== 503)).toEqual([])
  })
})

let others = 0
let fresh: number | undefined

/**
 * Gives the provider `fresh` an issuer that no isolate has contacted yet, and returns its path. Its ID tokens have no address, so that all
 * endpoints are used.
 */
async function becomeAnother(): Promise<string> {
  others += 1
  const path = `/another-${others}`
  const issuer = `${idp.issuer}${path}`
  const addresses = { token_endpoint: '/token', jwks_uri: '/jwks', userinfo_endpoint: '/userinfo' }
  const metadata = {
    issuer,
    authorization_endpoint: `${idp.issuer}/authorize`,
    ...Object.fromEntries(Object.entries(addresses).map(([name, end]) => [name, `${issuer}${end}`])),
  }
  idp.paths.set(`${path}/.well-known/openid-configuration`, (_, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(metadata))
  })
  for (const end of Object.values(addresses)) delay(`${path}${end}`, 0)
  idp.change = ({ payload }) => {
    Object.assign(payload, { iss: issuer })
    delete payload.email
  }
  idp.info = { sub: 'subject-1', email: owner.email, email_verified: true }
  if (fresh === undefined) fresh = await addProvider('fresh', issuer)
  else await api('PATCH', `/login_providers/${fresh}`, { issuer, client_secret: CLIENT.client_secret })
  return path
}

/** Makes a path answer like the one that it ends with, after some milliseconds. */
function delay(path: string, ms: number): void {
  idp.paths.set(path, async (request, response) => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    request.url = `/${path.split('/').at(-1)}`
    idp.server.service.requestHandler(request, response)
  })
}

/** Requests the redirect to a provider. */
async function beginAlone(slug: string) {
  const browser = new PlainBrowser()
  const response = await browser.get(startOf(slug))
  return { response, browser, address: new URL(startOf(slug)), page: await response.clone().text() }
}

async function begun(slug: string): Promise<PlainBrowser> {
  const browser = new PlainBrowser()
  await browser.goToProvider(startOf(slug))
  return browser
}

async function comeBack(browser: PlainBrowser, address: string) {
  const response = await browser.get(address)
  return { response, browser, address: new URL(address), page: await response.clone().text() }
}
