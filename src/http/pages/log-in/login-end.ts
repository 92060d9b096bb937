import { RateLimitHitError } from '../../../core/errors.ts'
import { secondsToWait } from '../../../core/rate-limits.ts'
import { MINUTE } from '../../../core/time.ts'
import type { LoginEnd } from '../../../store/users/login/login-ticket-rows.ts'
import { countedClient, newSession, type SessionOfBrowser } from '../../request/browser-session.ts'
import type { Environment } from '../../request/environment.ts'
import { RequestsOfNetworks } from '../../request/requests-of-networks.ts'

export const LOGIN_PATH = '/accounts/login'

/**
 * The destination of a login: a page of this browser, the app that made the pad, or the desktop app that made the key. While the browser
 * is away at another site the destination is sealed, since changing it would divert the key.
 */
export type Destination = (
  | { readonly kind: 'session'; readonly next: string }
  | { readonly kind: 'app'; readonly pad: string }
  | { readonly kind: 'desktop'; readonly key: string }
) & {
  /** Whether the account is connected afterwards with the provider from which the person has come (connect-after-login.ts). */
  readonly connects?: true
}

/** Returns the destination of the login at this address; undefined if a pad or key is malformed. */
export function destinationOf({ searchParams, origin }: URL): Destination | undefined {
  const more = searchParams.has(CONNECTS) ? { connects: true as const } : {}
  const pad = searchParams.get('mobile_flow_otp')
  if (pad !== null) return isOneTimePad(pad) ? { kind: 'app', pad, ...more } : undefined
  const key = searchParams.get('desktop_flow_otp')
  if (key !== null) return isOneTimePad(key) ? { kind: 'desktop', key, ...more } : undefined
  return { kind: 'session', next: ownPath(searchParams.get('next') ?? '', origin), ...more }
}

/** The parameter of a login that connects the account afterwards. */
const CONNECTS = 'connects'

/** Returns the query that gives another way this destination. */
export function queryFor(destination: Destination): string {
  const query = new URLSearchParams()
  if (destination.kind === 'app') query.set('mobile_flow_otp', destination.pad)
  else if (destination.kind === 'desktop') query.set('desktop_flow_otp', destination.key)
  else if (destination.next !== '/') query.set('next', destination.next)
  if (destination.connects) query.set(CONNECTS, '1')
  return query.size === 0 ? '' : `?${query}`
}

/** A pending login: its end for the object, and the token of which the object only gets the digest. */
export interface LoginUnderWay {
  readonly destination: Destination
  readonly end: LoginEnd
  readonly session: SessionOfBrowser
}

/** Makes the token that completes a login. */
export async function beginLogin(destination: Destination): Promise<LoginUnderWay> {
  const session = await newSession()
  const { kind } = destination
  return { destination, end: kind === 'app' ? { kind } : { kind, digest: session.digest }, session }
}

/** Returns a path of this organization, whatever was requested: no redirect leads to another site. */
export function ownPath(next: string, origin: string): string {
  const url = URL.canParse(next, origin) ? new URL(next, origin) : undefined
  if (!next.startsWith('/') || url?.origin !== origin) return '/'
  // `/..//host` resolves to `//host`, which is another site.
  const path = `${url.pathname}${url.search}${url.hash}`
  return URL.canParse(path, origin) && new URL(path, origin).href === url.href ? path : '/'
}

const PAD = /^[0-9a-f]{64}$/i

/** Whether a text is 64 hex digits: the length of an API key of 32 characters, and of a key of the desktop app. */
function isOneTimePad(pad: string): boolean {
  return PAD.test(pad)
}

/**
 * Returns the key's ASCII XORed with the pad, as hex: only the app that made the pad can read it on its way through browser and operating
 * system. Source: docs/interface/login.md#in-a-browser-for-an-app.
 */
export function encryptWithPad(apiKey: string, pad: string): string {
  const [key, mask] = [Buffer.from(apiKey), Buffer.from(pad, 'hex')]
  return Buffer.from(key.map((byte, at) => byte ^ mask[at]!)).toString('hex')
}

/**
 * Logins at some doors are counted by the client's network, separately from all other attempts and for each door: a client that uses up a
 * network's limit blocks neither other doors, nor passwords, nor a browser that was used to log in before.
 */
export type CountedLogin = 'provider' | 'access' | 'desktop' | 'second factor' | 'zoom'

/** Logins at providers that one network may start: a whole company arrives at nine o'clock from one address. */
const BEGUN = [{ requests: 1_000, seconds: MINUTE }]
/** Failed logins, each of which may have cost calls to the object and to the provider. */
const FAILED = [{ requests: 300, seconds: MINUTE }]

const begun = new RequestsOfNetworks()
const failed: Readonly<Record<CountedLogin, RequestsOfNetworks>> = {
  provider: new RequestsOfNetworks(),
  access: new RequestsOfNetworks(),
  desktop: new RequestsOfNetworks(),
  'second factor': new RequestsOfNetworks(),
  zoom: new RequestsOfNetworks(),
}

/** @throws RateLimitHitError */
export async function countBegunLogin(request: Request, env: Environment): Promise<void> {
  const client = await countedClient(request, env)
  requireNoWait(client === undefined ? 0 : begun.count(client, BEGUN, Date.now() / 1_000))
}

/** Runs a login at a door, unless its network has failed too often. @throws RateLimitHitError */
export async function countingFailures<Value>(
  door: CountedLogin,
  request: Request,
  env: Environment,
  end: () => Promise<Value>,
): Promise<Value> {
  const client = await countedClient(request, env)
  if (client === undefined) return end()
  const now = Date.now() / 1_000
  requireNoWait(secondsToWait(failed[door].recent(client, FAILED, now), FAILED, now))
  try {
    return await end()
  } catch (error) {
    failed[door].add(client, FAILED, now)
    throw error
  }
}

function requireNoWait(wait: number): void {
  if (wait > 0) throw new RateLimitHitError(wait)
}
