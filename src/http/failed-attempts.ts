import { createHash } from 'node:crypto'
import { INVALID_KEY, type RateLimitState } from '../core/call.ts'
import { RateLimitHitError } from '../core/errors.ts'
import { longestWindow, type RateLimit, secondsToWait } from '../core/rate-limits.ts'
import { outcomeOfRequest } from '../core/request-record.ts'
import { MINUTE } from '../core/time.ts'
import { respondRefusal } from './html/auth-page.ts'
import { textsOfRequest } from './html/texts-of-request.ts'
import { countedClient, keyOfClaim, knownBrowserOf, sessionTokenOf } from './request/browser-session.ts'
import type { Environment } from './request/environment.ts'
import { comparedPath, type RoutedRequest } from './request/request-url.ts'
import {
  countedNetwork,
  limitsOfNetworks,
  RequestsOfNetworks,
  remember,
} from './request/requests-of-networks.ts'
import { respondError, retryLater } from './request/respond.ts'
import { withSecurityHeaders } from './request/security-headers.ts'

/**
 * Failed authentication attempts, counted by the client's network before any organization is asked: wrong keys and passwords, invented
 * links and tickets. They are in an isolate's memory, which may be lost: keys and links are too long to guess, so this only limits the
 * cost of guessing. Password attempts are also counted durably in the organization's object (model/users/login/login-attempts.ts).
 */

/** The status of a request whose body stalled: it held memory and a connection for nothing. */
const STALLED = 408

/** Number of remembered valid keys; the one met longest ago is forgotten first. */
const REMEMBERED = 5_000

/** Seconds for which a key is remembered as valid. */
const PROOF_VALID = 3_600

const failures = new RequestsOfNetworks()
/**
 * Failures of one wrong key. It guesses nothing when it is sent again, so the network counts it once: a forgotten program that goes on
 * with an old key must not lock out the keys of everybody else there.
 */
const repeated = new RequestsOfNetworks()
const REPEATED = [{ requests: 20, seconds: MINUTE }]
/** Digests of credentials that an organization has accepted, with the time. */
const proofs = new Map<string, number>()

/** Paths whose last part is a secret, and the paths that take the deployment's token. */
const SECRET_PATHS =
  /^\/(?:join|setup|accounts\/password\/reset|accounts\/reactivate|accounts\/owner-link|accounts\/confirm-email|accounts\/connect|accounts\/unsubscribe|user_uploads\/temporary|user_avatars\/exports)\/.|^\/(?:health|metrics)$/

/**
 * Serves a request unless its network has failed too often: then 429, before any work. Three kinds are still served, so that one client
 * cannot lock out everyone who shares its address: logins, which are counted separately; keys and sessions that were valid within the last
 * hour; and browsers that were used to log in, until they fail too often themselves. Source: docs/interface/conventions.md#rate-limits.
 */
export async function guardAttempts(
  asked: RoutedRequest,
  env: Environment,
  serve: () => Promise<Response>,
): Promise<Response> {
  const network = countedNetwork(asked.request, env)
  if (network === undefined) return serve()
  const limits = limitsOfNetworks(asked, env)
  const now = Date.now() / 1_000
  const digest = digestOf(asked)
  const recent = isDoor(asked) ? [] : await failuresOf(asked, env, network, now)
  const wait = Math.max(secondsToWait(recent, limits, now), waitOfKey(asked, digest, now))
  if (wait > 0 && !isProven(asked, now)) return refuse(asked, wait, stateOf(recent, limits, now))
  const response = await serve()
  if (isFailure(asked, response)) {
    // Other requests failed while this one was served.
    const then = Date.now() / 1_000
    const isRepeated = isOfKey(response) && digest !== undefined && failsAgain(digest, then)
    if (!isRepeated) failures.add((await countedClient(asked.request, env)) ?? network, limits, then)
    // A body that stalls says nothing about the key.
    if (digest !== undefined && response.status !== STALLED) proofs.delete(digest)
  } else if (digest !== undefined && outcomeOfRequest()?.isKeyProven) {
    remember(proofs, digest, now, REMEMBERED)
  }
  return response
}

function waitOfKey(asked: RoutedRequest, digest: string | undefined, now: number): number {
  if (digest === undefined || isDoor(asked)) return 0
  return secondsToWait(repeated.recent(digest, REPEATED, now), REPEATED, now)
}

/** Notes that a key has failed; true if it did within the last minute. */
function failsAgain(digest: string, now: number): boolean {
  const isKnown = repeated.recent(digest, REPEATED, now).length > 0
  repeated.add(digest, REPEATED, now)
  return isKnown
}

/** Returns the failures that count for a request. The cookie of a known browser is only examined if its network has failed too often. */
async function failuresOf(
  asked: RoutedRequest,
  env: Environment,
  network: string,
  now: number,
): Promise<readonly number[]> {
  const limits = limitsOfNetworks(asked, env)
  const isOver = (times: readonly number[]) => secondsToWait(times, limits, now) > 0
  const claim = keyOfClaim(asked.request)
  const own = claim === undefined ? [] : failures.recent(claim, limits, now)
  if (isOver(own)) return own
  const all = failures.recent(network, limits, now)
  return claim !== undefined && isOver(all) && (await knownBrowserOf(asked.request, env)) ? own : all
}

/**
 * Login routes. Their attempts are counted where they are checked, also by account (model/users/login/login-attempts.ts,
 * pages/log-in/login-end.ts), so failures there do not lock anyone out elsewhere, nor the reverse.
 */
const DOORS =
  /^\/(?:login|accounts\/login|accounts\/logout\/backchannel|accounts\/password\/reset$|complete|page|api\/v1\/(?:fetch_api_key|jwt\/fetch_api_key|server_settings))(?:\/|$)/

function isDoor(asked: RoutedRequest): boolean {
  return DOORS.test(comparedPath(asked))
}

/** Whether the key or session of a request was refused, and not a secret in its address. */
function isOfKey({ status }: Response): boolean {
  return status === 401 || outcomeOfRequest()?.code === INVALID_KEY
}

function isFailure(asked: RoutedRequest, response: Response): boolean {
  const { status } = response
  if (status !== STALLED && isDoor(asked)) return false
  if (isOfKey(response) || status === STALLED) return true
  // Pages redirect to the login page without a login.
  if (status === 302 && outcomeOfRequest()?.code === 'UNAUTHORIZED') return true
  const isRefused = status === 400 || status === 403 || status === 404
  return isRefused && SECRET_PATHS.test(comparedPath(asked))
}

function isProven(asked: RoutedRequest, now: number): boolean {
  const digest = digestOf(asked)
  const at = digest === undefined ? undefined : proofs.get(digest)
  return at !== undefined && Math.abs(now - at) < PROOF_VALID
}

/** Returns the digest of the credentials and what they are used for; undefined without credentials. */
function digestOf(asked: RoutedRequest): string | undefined {
  const credentials =
    asked.request.headers.get('authorization') ?? keyInAddress(asked) ?? sessionTokenOf(asked.request)
  if (credentials === undefined) return undefined
  return createHash('sha256').update(`${asked.address.host}\n${credentials}`).digest('base64')
}

/** Webhook paths in the format of other chats, which end in the key of a bot. */
const KEY_LAST = /^\/(?:services|api\/webhooks)\//

/** A hosted service posts to many organizations from the same few addresses. */
function keyInAddress(asked: RoutedRequest): string | undefined {
  const { searchParams } = asked.address
  const pathname = comparedPath(asked)
  if (pathname.startsWith('/api/v1/external/')) return searchParams.get('api_key') ?? undefined
  return KEY_LAST.test(pathname) ? pathname.slice(pathname.lastIndexOf('/') + 1) : undefined
}

function stateOf(recent: readonly number[], limits: readonly RateLimit[], now: number): RateLimitState {
  const limit = Math.min(...limits.map(({ requests }) => requests))
  return { limit, remaining: 0, reset: Math.ceil((recent.at(-1) ?? now) + longestWindow(limits)) }
}

function refuse(asked: RoutedRequest, wait: number, rateLimit: RateLimitState): Response {
  const error = new RateLimitHitError(wait)
  const isPage = /^\/(?:join|setup\/[0-9a-f]{64}|accounts|complete)(?:\/|$)/.test(comparedPath(asked))
  const texts = textsOfRequest(asked.request)
  const response = isPage
    ? retryLater(respondRefusal(texts, texts.logIn.title, error.toWire()), error)
    : respondError(error, { rateLimit })
  return withSecurityHeaders(response, asked)
}
