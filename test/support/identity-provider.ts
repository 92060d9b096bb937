import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterEach, beforeEach, vi } from 'vitest'
import type { ParameterValue } from './api.ts'
import { Browser } from './browsing.ts'
import { expectSuccess, type TestRealm, type TestUser } from './factories.ts'

/** Claims of a person, besides those of each token. */
export type Person = { readonly sub: string } & Readonly<Record<string, unknown>>

/** The result of a log-in, as the browser sees it. */
export interface LoggedIn {
  readonly status: number
  readonly location: string | null
  /** The sentence on the page of a failed log-in. */
  readonly refusal: string | undefined
  readonly browser: Browser
}

interface LogInOptions {
  readonly query?: string
  readonly slug?: string
  readonly host?: string
  readonly browser?: Browser
}

const JSON_TYPE = { headers: { 'Content-Type': 'application/json' } }

/** Endpoints that not every provider has: their names in its metadata, and their paths. */
const USER_INFO = '/userinfo'
const END_SESSION = '/end'
const FURTHER = { userinfo_endpoint: USER_INFO, end_session_endpoint: END_SESSION }

/** Stands for an OpenID Connect provider, and for GitHub, in every test of a file. `isFull`: it has UserInfo, and ends sessions. */
export function standInForProvider(realm: TestRealm, { isFull = false } = {}) {
  const issuer = () => `https://login.${realm.host.split('.')[0]}.example.com`
  const signing = generateKeyPair('ES256', { extractable: true })
  /** The people who have logged in at the provider, by the code of their redirect. */
  const codes = new Map<string, Person & { nonce: string }>()
  let count = 0

  const answers: Record<string, (body: URLSearchParams, token: string) => Promise<unknown> | unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer: issuer(),
      authorization_endpoint: `${issuer()}/authorize`,
      token_endpoint: `${issuer()}/token`,
      jwks_uri: `${issuer()}/keys`,
      id_token_signing_alg_values_supported: ['ES256'],
      ...(isFull
        ? Object.fromEntries(Object.entries(FURTHER).map(([name, path]) => [name, issuer() + path]))
        : {}),
    }),
    [USER_INFO]: (_, token) => ({ sub: token, ...provider.info }),
    '/keys': async () => ({
      keys: [{ ...(await exportJWK((await signing).publicKey)), kid: 'one', alg: 'ES256' }],
    }),
    '/token': async (body) => {
      await provider.atToken()
      const person = codes.get(body.get('code') ?? '')!
      codes.delete(body.get('code') ?? '')
      return { access_token: person.sub, token_type: 'Bearer', id_token: await provider.sign(person) }
    },
    // GitHub's, at a server of one's own.
    '/login/oauth/access_token': (body) => {
      const code = body.get('code') ?? ''
      return { access_token: code, token_type: 'bearer', scope: '' }
    },
  }

  const provider = {
    issuer,
    /** Requests to the provider, in order: their paths. */
    asked: [] as string[],
    /** Claims that UserInfo has of everybody. */
    info: {} as Readonly<Record<string, unknown>>,
    /** A function that runs while a code is exchanged. */
    atToken: async (): Promise<void> => {},
    /** The provider's answers at other paths. */
    files: new Map<string, () => Response | Promise<Response>>(),
    /** Adds it to the organization's providers. */
    async add(
      owner: TestUser,
      slug = 'house',
      settings: Record<string, ParameterValue> = {},
    ): Promise<number> {
      const given = {
        slug,
        display_name: 'The house',
        issuer: issuer(),
        client_id: 'parley',
        is_enabled: true,
      }
      return expectSuccess(await owner.api.post('/login_providers', { ...given, ...settings })).id
    },
    async sign(claims: object, header: object = {}): Promise<string> {
      const now = Math.floor(Date.now() / 1_000)
      return new SignJWT({ iss: issuer(), aud: 'parley', iat: now, exp: now + 300, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
        .sign((await signing).privateKey)
    },
    /** Logs a person in at the provider to which an address leads; returns the path of the callback. */
    comeBack(address: string, person: Person): string {
      const asked = new URL(address).searchParams
      count += 1
      const code = `code-${count}`
      codes.set(code, { ...person, nonce: asked.get('nonce') ?? '' })
      const { pathname } = new URL(asked.get('redirect_uri')!)
      const answer = new URLSearchParams({ code, state: asked.get('state')! })
      // GitHub sends its issuer since April 2026, which is not the address of its pages.
      if (new URL(address).pathname === '/login/oauth/authorize') answer.set('iss', `${issuer()}/login/oauth`)
      return `${pathname}?${answer}`
    },
    /** Logs a user in with a browser of their own, from the start to the end. */
    async logIn(
      person: Person,
      { query = '', slug = 'house', host, browser }: LogInOptions = {},
    ): Promise<LoggedIn> {
      const at = browser ?? new Browser(host ?? realm.host)
      const sent = await at.ask('GET', `/accounts/login/social/${slug}${query}`)
      const location = sent.headers.get('location')
      if (location === null) return resultOf(sent, at)
      return resultOf(await at.ask('GET', provider.comeBack(location, person)), at)
    },
  }

  beforeEach(() => {
    provider.asked.length = 0
    provider.info = {}
    provider.atToken = async () => {}
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (target, init) => {
      const url = new URL(String(target))
      if (url.origin !== issuer()) throw new TypeError('no such host')
      provider.asked.push(url.pathname)
      if (url.pathname.startsWith('/api/v3/')) return gitHub(url.pathname, init)
      const file = provider.files.get(url.pathname)
      if (file) return file()
      const answer = answers[url.pathname]
      const body = new URLSearchParams(String(init?.body ?? ''))
      return answer
        ? new Response(JSON.stringify(await answer(body, tokenIn(init))), JSON_TYPE)
        : new Response('', { status: 404 })
    })
  })
  afterEach(() => vi.restoreAllMocks())

  function gitHub(path: string, init: RequestInit | undefined): Response {
    const { sub, emails, ...user } = codes.get(tokenIn(init))!
    return new Response(
      JSON.stringify(path.endsWith('/emails') ? emails : { id: Number(sub), ...user }),
      JSON_TYPE,
    )
  }

  return provider
}

function tokenIn(init: RequestInit | undefined): string {
  return new Headers(init?.headers).get('Authorization')?.replace('Bearer ', '') ?? ''
}

async function resultOf(response: Response, browser: Browser): Promise<LoggedIn> {
  const page = await response.text()
  return {
    status: response.status,
    location: response.headers.get('location'),
    refusal: /role="alert">([^<]*)</.exec(page)?.[1],
    browser,
  }
}
