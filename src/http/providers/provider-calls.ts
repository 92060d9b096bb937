import { errors } from 'jose'
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  customFetch,
  OperationProcessingError,
  ResponseBodyError,
  UnsupportedOperationError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi'
import { isAllowedTarget } from '../../core/outgoing-target.ts'
import { CallTimeoutError, callOut } from '../../realm/outgoing/call-out.ts'

/** Milliseconds for one call of a provider, since a user is waiting. */
const CALL_MS = 5_000
/** Milliseconds for all calls of one request, of which a log-in needs up to four: a provider that is slow with each of them is too slow. */
const ALL_CALLS_MS = 10_000

/** Bytes of an answer: more than discovery, keys and tokens of any provider have. */
const MAX_ANSWER_BYTES = 256 * 1024

const TOO_MANY = 429

/** Statuses whose answers have no body. */
const WITHOUT_BODY = new Set([204, 205, 304])

interface CallInit {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: BodyInit | null
}

type Call = (url: string, init?: CallInit) => Promise<Response>

export interface ProviderCalls {
  readonly allowedHosts: readonly string[]
  /** @throws ProviderError */
  readonly call: Call
  /** The same for `oauth4webapi`. */
  readonly options: { readonly [allowInsecureRequests]: true; readonly [customFetch]: Call }
}

/**
 * Returns the way to call providers for one request, at addresses that owners of organizations have entered, or that such an address names. Whether one
 * may be called, and without encryption, is decided here alone, for each call.
 *
 * @param allowedHosts `host:port` that the deployment allows although they are not public
 */
export function providerCalls(allowedHosts: readonly string[]): ProviderCalls {
  const endsAt = Date.now() + ALL_CALLS_MS
  const call = (url: string, init: CallInit = {}) => {
    const timeoutMs = Math.min(CALL_MS, Math.max(endsAt - Date.now(), 1))
    return callProvider(allowedHosts, url, init, timeoutMs)
  }
  return { allowedHosts, call, options: { [allowInsecureRequests]: true, [customFetch]: call } }
}

/** Requires an address that people, or this server, may be sent to. @throws ProviderError */
export function requireProviderAddress(address: string, allowedHosts: readonly string[]): URL {
  if (!isAllowedTarget(address, allowedHosts)) {
    throw new ProviderError('invalid', 'An address of the provider is not one of the public network')
  }
  const url = new URL(address)
  if (url.protocol !== 'https:' && !allowedHosts.includes(url.host)) {
    throw new ProviderError('invalid', 'An address of the provider does not begin with https:')
  }
  return url
}

async function callProvider(
  allowedHosts: readonly string[],
  url: string,
  { method = 'GET', headers = {}, body = null }: CallInit,
  timeoutMs: number,
): Promise<Response> {
  requireProviderAddress(url, allowedHosts)
  const {
    response,
    body: bytes,
    isCut,
  } = await callOut({
    url,
    named: { by: 'user', allowedHosts },
    init: { method, headers: { ...headers, 'User-Agent': 'ParleyLogin/1.0' }, body },
    timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
  }).catch((error: unknown) => {
    const detail = error instanceof CallTimeoutError ? error.message : 'The connection failed'
    throw new ProviderError('unreachable', detail, { cause: error })
  })
  if (isCut) throw new ProviderError('invalid', `An answer has more than ${MAX_ANSWER_BYTES} bytes`)
  const { status } = response
  if (status >= 500 || status === TOO_MANY) throw new ProviderError('unreachable', `It answers ${status}`)
  const type = response.headers.get('Content-Type')
  return new Response(WITHOUT_BODY.has(status) ? null : new Uint8Array(bytes), {
    status,
    headers: type === null ? {} : { 'Content-Type': type },
  })
}

/**
 * Why a provider lets nobody in:
 *
 * - `unreachable`: it does not answer, or not in time;
 * - `declined`: it says so itself, since the person has broken off, or may not use this client;
 * - `invalid`: its answer breaks a rule, or the settings do not fit it.
 */
type ProviderProblem = 'unreachable' | 'declined' | 'invalid'

/** Characters of the detail, some of which other servers have written. */
const MAX_DETAIL = 200

/** Thrown when a log-in at a provider comes to nothing. The detail is for administrators, and has no secret. */
export class ProviderError extends Error {
  readonly problem: ProviderProblem
  readonly detail: string

  constructor(problem: ProviderProblem, detail: string, options?: ErrorOptions) {
    super(`${problem}: ${detail}`, options)
    this.problem = problem
    this.detail = detail.slice(0, MAX_DETAIL)
  }
}

/** Answers of a token endpoint that say nothing but that the code is not, or no longer, good. */
const CODE_REFUSED = 'invalid_grant'

/** Errors of the libraries about what a provider has sent. */
const OF_ANSWERS = [
  OperationProcessingError,
  UnsupportedOperationError,
  WWWAuthenticateChallengeError,
  errors.JOSEError,
]

/** Runs a step of a log-in at a provider. @throws ProviderError for whatever the provider does wrong */
export async function withProvider<Value>(step: () => Promise<Value>): Promise<Value> {
  try {
    return await step()
  } catch (error) {
    throw asProviderError(error)
  }
}

/** Returns any other error as it is: that would be a fault of our own. */
function asProviderError(error: unknown): unknown {
  const options = { cause: error }
  if (error instanceof AuthorizationResponseError)
    return new ProviderError('declined', codeIn(error.error), options)
  if (error instanceof ResponseBodyError) {
    const detail = `The provider answers ${codeIn(error.error)}`
    return new ProviderError(error.error === CODE_REFUSED ? 'declined' : 'invalid', detail, options)
  }
  const isOfAnswer = OF_ANSWERS.some((kind) => error instanceof kind)
  return isOfAnswer ? new ProviderError('invalid', (error as Error).message, options) : error
}

/** Returns a code of OAuth; other texts, which anybody may put into an address, say nothing. */
function codeIn(text: string): string {
  return /^[a-z_]{1,40}$/.test(text) ? text : 'unknown'
}
