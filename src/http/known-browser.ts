import type { KnownBrowser } from '../core/call.ts'
import { ApiError } from '../core/errors.ts'
import { fromJson, type JsonText, jsonText } from '../core/json.ts'
import { canSeal, openSecret, sealSecret } from '../core/sealed-secret.ts'
import { DAY } from '../core/time.ts'
import { hostCookie, hostCookieSet } from './browser-session.ts'
import type { Environment } from './environment.ts'
import { urlOf } from './request-url.ts'
import { countedNetwork, isFromElsewhere } from './requests-of-networks.ts'

/**
 * A browser that was used to log in is known by a cookie that outlasts the session. It opens nothing: what comes from there is counted
 * apart from all that others of its network, or others who try the account's password, do. Source: docs/security.md#known-browsers.
 */

const COOKIE = 'known_browser'
/** Longest time for which browsers keep a cookie. */
const KEPT_SECONDS = 400 * DAY
const ID_BYTES = 16
/** Characters of a cookie, beyond which it is none of ours: host names have at most 253. */
const MAX_LENGTH = 600

/** The host is in the text, so that no organization has to be looked up. */
const PLACE = { realmId: 0, purpose: 'known browser' } as const

/**
 * Returns under what the client's attempts are counted: a known browser by itself, all others by their network.
 * Undefined where requests are not counted.
 */
export async function countedClient(request: Request, env: Environment): Promise<string | undefined> {
  const network = countedNetwork(request, env)
  if (network === undefined) return undefined
  return (await knownBrowserOf(request, env)) ? keyOfClaim(request) : network
}

/** Returns under what a browser is counted if it is known, without looking whether it is: anything made up has not been counted. */
export function keyOfClaim(request: Request): string | undefined {
  const claim = claimOf(request)
  // Requests that pages of other sites make it send are counted apart, as for networks.
  return claim === undefined ? undefined : `${isFromElsewhere(request) ? 'elsewhere ' : ''}browser ${claim}`
}

interface Sealed extends KnownBrowser {
  readonly host: string
}

/** Returns the cookie as the browser has sent it, which the client may have made up; undefined without one. */
function claimOf(request: Request): string | undefined {
  const claim = hostCookie(request, COOKIE)
  return claim !== undefined && claim.length <= MAX_LENGTH ? claim : undefined
}

/** Returns which browser it is, if it was used to log in before. */
export async function knownBrowserOf(request: Request, env: Environment): Promise<KnownBrowser | undefined> {
  const claim = claimOf(request)
  if (claim === undefined) return undefined
  try {
    const { host, id, userId } = fromJson((await openSecret(env, PLACE, claim)) as JsonText<Sealed>)
    return host === urlOf(request).host ? { id, userId } : undefined
  } catch (error) {
    // Made up, or sealed with a key that the deployment has no more.
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Has a browser keep that it was just used to log in to this account. A deployment without a key for its secrets knows no browser. */
export async function makeKnown(
  response: Response,
  request: Request,
  env: Environment,
  userId: number,
): Promise<Response> {
  if (!canSeal(env)) return response
  const url = new URL(request.url)
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(ID_BYTES))).toString('hex')
  const sealed = await sealSecret(env, PLACE, jsonText({ host: url.host, id, userId }))
  response.headers.append('Set-Cookie', hostCookieSet(url, COOKIE, sealed, KEPT_SECONDS))
  return response
}
