import { randomBytes } from 'node:crypto'
import type { Credentials, KnownBrowser } from '../../core/call.ts'
import { ApiError, CsrfError } from '../../core/errors.ts'
import { fromJson, type JsonText, jsonText } from '../../core/json.ts'
import { canSeal, openSecret, sealSecret } from '../../core/sealed-secret.ts'
import { DAY } from '../../core/time.ts'
import { isSameText } from '../../integrations/signatures.ts'
import { readCredentials } from './credentials.ts'
import type { Environment } from './environment.ts'
import { countedNetwork, isFromElsewhere } from './requests-of-networks.ts'
import { sha256Hex } from './sha256.ts'

/** A browser that claims to be logged in; only the realm object knows whether it is. */
export interface SessionOfBrowser {
  readonly token: string
  readonly digest: string
}

/** Names and attributes: docs/interface/browsers.md#sessions. */
const SESSION_COOKIE = 'sessionid'
const CSRF_COOKIE = 'csrftoken'
/** Browsers accept a cookie with this prefix only from its own host over https: no other host of the domain can plant one. */
const OF_THIS_HOST = '__Host-'
/**
 * The longest lifetime that browsers allow a cookie. A session's cookies are set once, at the log-in, and must not end before it: only the
 * object knows whether it is still in use.
 */
const KEPT_SECONDS = 400 * DAY

const TOKEN_BYTES = 32
const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/
/** Limit of the Cookie header, in characters: browsers send at most about 4,000 for one cookie. */
const MAX_COOKIES_LENGTH = 20_000

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Values of Sec-Fetch-Site for a request made by a page of this origin, or by the user directly. */
const OWN_PAGES = new Set(['same-origin', 'none'])

/** Returns the session of a browser by its cookie; undefined without a well-formed one. */
export async function sessionOf(request: Request): Promise<SessionOfBrowser | undefined> {
  const token = sessionTokenOf(request)
  return token === undefined ? undefined : { token, digest: await sha256Hex(token) }
}

/** Returns the token in a browser's cookie; undefined without a well-formed one. */
export function sessionTokenOf(request: Request): string | undefined {
  const token = cookieOf(request, named(SESSION_COOKIE, request))
  return token !== undefined && TOKEN_FORM.test(token) ? token : undefined
}

export function credentialsOf(session: SessionOfBrowser | undefined): Credentials {
  return session ? { kind: 'session', digest: session.digest } : { kind: 'none' }
}

/** Returns the credentials on a route that serves browsers and apps: the API key if one was sent, else the cookie. */
export async function keyOrSession(request: Request): Promise<Credentials> {
  return isByBrowser(request) ? credentialsOf(await sessionOf(request)) : readCredentials(request)
}

/** Whether a browser session makes the request. A request with a key does not count, whatever cookies it has. */
export function isByBrowser({ headers }: Pick<Request, 'headers'>): boolean {
  return headers.get('authorization') === null && headers.get('cookie') !== null
}

export async function newSession(): Promise<SessionOfBrowser> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, digest: await sha256Hex(token) }
}

/**
 * Returns the token that the pages of a session send with every change. It is derived from the session, so an attacker cannot plant one.
 */
export async function csrfTokenOf({ token }: SessionOfBrowser): Promise<string> {
  return (await sha256Hex(`csrf ${token}`)).slice(0, 64)
}

/**
 * Requires that a change made with a session cookie comes from one of our own pages, which know its token. A page that names its session
 * when it reads gets nothing of another one, to which the browser may belong by now.
 * @param sent the token, from the header or the form
 * @throws CsrfError
 */
export async function requireOwnPage(
  request: Request,
  session: SessionOfBrowser,
  sent: string | undefined,
): Promise<void> {
  const named = request.headers.get('x-csrftoken')
  if (READING.has(request.method)) {
    if (named === null || isSameText(named, await csrfTokenOf(session))) return
    throw new CsrfError('CSRF token incorrect.')
  }
  requireOwnOrigin(request)
  const token = named ?? sent
  if (token === undefined || token === '') throw new CsrfError('CSRF token missing.')
  if (!isSameText(token, await csrfTokenOf(session))) throw new CsrfError('CSRF token incorrect.')
}

/** Refuses a request from another origin, if the browser says where it comes from. @throws CsrfError */
export function requireOwnOrigin({ url, headers }: Request): void {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  if (site !== null && !OWN_PAGES.has(site)) throw new CsrfError('Origin checking failed.')
  // Our pages send no referrer, so browsers give `null` as the origin of their forms; they do the same for sandboxes of other sites.
  if (origin === 'null' && site === 'same-origin') return
  if (origin !== null && origin !== new URL(url).origin) throw new CsrfError('Origin checking failed.')
}

/** Whether the browser says that it loads the answer as a page, and not as a picture or a frame of another page. */
export function isOpened({ headers }: Request): boolean {
  return (headers.get('sec-fetch-dest') ?? 'document') === 'document'
}

/** Returns the Set-Cookie values for a browser that has just logged in. */
export async function cookiesOf(session: SessionOfBrowser, { href }: URL): Promise<string[]> {
  const url = { url: href }
  const kept = `; Path=/; Max-Age=${KEPT_SECONDS}; SameSite=Lax${secureAt(url)}`
  return [
    `${named(SESSION_COOKIE, url)}=${session.token}${kept}; HttpOnly`,
    `${named(CSRF_COOKIE, url)}=${await csrfTokenOf(session)}${kept}`,
  ]
}

/** Returns the Set-Cookie values that log a browser out. */
export function endedCookies({ href }: URL): string[] {
  const url = { url: href }
  const gone = `=; Path=/; Max-Age=0; SameSite=Lax${secureAt(url)}`
  return [`${named(SESSION_COOKIE, url)}${gone}; HttpOnly`, `${named(CSRF_COOKIE, url)}${gone}`]
}

/** Returns the value of a cookie that only this host can set; undefined without one. */
export function hostCookie(request: Request, name: string): string | undefined {
  return cookieOf(request, named(name, request))
}

/** Returns a Set-Cookie value that scripts cannot read; a lifetime of 0 seconds deletes the cookie. */
export function hostCookieSet({ href }: URL, name: string, value: string, seconds: number): string {
  const at = { url: href }
  return `${named(name, at)}=${value}; Path=/; Max-Age=${seconds}; SameSite=Lax${secureAt(at)}; HttpOnly`
}

/** A cookie that browsers send only to the paths below one, which its prefix would not allow: any host of the domain could plant one. */
interface CookieBelow {
  readonly name: string
  readonly path: string
}

export function cookieBelow(request: Request, { name }: CookieBelow): string | undefined {
  return cookieOf(request, name)
}

/** Returns a Set-Cookie value that scripts cannot read; a lifetime of 0 seconds deletes the cookie. */
export function cookieBelowSet(
  { href }: URL,
  { name, path }: CookieBelow,
  value: string,
  seconds = KEPT_SECONDS,
): string {
  const secure = secureAt({ url: href })
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; SameSite=Lax${secure}; HttpOnly`
}

function secureAt(at: Pick<Request, 'url'>): string {
  return isSecure(at) ? '; Secure' : ''
}

function named(cookie: string, at: Pick<Request, 'url'>): string {
  return isSecure(at) ? `${OF_THIS_HOST}${cookie}` : cookie
}

function isSecure({ url }: Pick<Request, 'url'>): boolean {
  return url.startsWith('https:')
}

function cookieOf(request: Request, name: string): string | undefined {
  const header = request.headers.get('cookie')
  if (header === null || header.length > MAX_COOKIES_LENGTH) return undefined
  const found = header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
  return found?.slice(name.length + 1)
}

/**
 * A browser that was used to log in is known by a cookie that outlasts the session. The cookie grants nothing: it only lets the attempts
 * of this browser be counted apart from those of others on its network, or of others who try the account's password. Source:
 * docs/security.md#known-browsers.
 */

const COOKIE = 'known_browser'
const ID_BYTES = 16
/** Longest cookie that can be ours, in characters: host names have at most 253. */
const MAX_LENGTH = 600

/** The host is part of the text, so no organization has to be looked up. */
const PLACE = { realmId: 0, purpose: 'known browser' } as const

/** Returns the key for counting attempts: the known browser, else its network. Undefined where nothing is counted. */
export async function countedClient(request: Request, env: Environment): Promise<string | undefined> {
  const network = countedNetwork(request, env)
  if (network === undefined) return undefined
  return (await knownBrowserOf(request, env)) ? keyOfClaim(request) : network
}

/** Returns the key for a browser that claims to be known, without verifying the claim: an invented one has no count. */
export function keyOfClaim(request: Request): string | undefined {
  const claim = claimOf(request)
  // Requests caused by pages of other sites are counted apart, as for networks.
  return claim === undefined ? undefined : `${isFromElsewhere(request) ? 'elsewhere ' : ''}browser ${claim}`
}

interface Sealed extends KnownBrowser {
  readonly host: string
}

/** Returns the cookie as the browser sent it, which the client may have invented; undefined without one. */
function claimOf(request: Request): string | undefined {
  const claim = hostCookie(request, COOKIE)
  return claim !== undefined && claim.length <= MAX_LENGTH ? claim : undefined
}

/** Returns the id of the browser if it was used to log in before. */
export async function knownBrowserOf(request: Request, env: Environment): Promise<KnownBrowser | undefined> {
  const claim = claimOf(request)
  if (claim === undefined) return undefined
  try {
    const { host, id, userId } = fromJson((await openSecret(env, PLACE, claim)) as JsonText<Sealed>)
    return host === new URL(request.url).host ? { id, userId } : undefined
  } catch (error) {
    // Invented, or sealed with a key that the deployment no longer has.
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Marks the browser as having just logged in to this account. A deployment without a secrets key knows no browsers. */
export async function makeKnown(
  response: Response,
  request: Request,
  env: Environment,
  userId: number,
): Promise<Response> {
  if (!canSeal(env)) return response
  const url = new URL(request.url)
  const id = randomBytes(ID_BYTES).toString('hex')
  const sealed = await sealSecret(env, PLACE, jsonText({ host: url.host, id, userId }))
  response.headers.append('Set-Cookie', hostCookieSet(url, COOKIE, sealed, KEPT_SECONDS))
  return response
}
