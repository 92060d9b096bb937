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
import { CallTimeoutError, callOut } from '../../outgoing/call-out.ts'

/** Timeout of one call to a provider, in milliseconds, since a user is waiting. */
const CALL_MS = 5_000
/** Milliseconds for all calls of one request. A login needs up to four, and a provider may not be slow with each of them. */
const ALL_CALLS_MS = 10_000

/** Limit of an answer in bytes: more than any provider's metadata, keys and tokens. */
const MAX_ANSWER_BYTES = 256 * 1024

const TOO_MANY = 429

/** Statuses whose responses have no body. */
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
 * Returns a function that calls providers for one request, at addresses that owners of organizations entered, or that such addresses
 * name. Whether one may be called, and without encryption, is decided only here, for each call.
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

/** Requires an address to which users, or this server, may be sent. @throws ProviderError */
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
 * Why a login at a provider fails:
 * - `unreachable`: it does not answer, or not in time;
 * - `declined`: it says so, since the user cancelled, or may not use this client;
 * - `invalid`: its answer breaks a rule, or the settings do not match.
 */
type ProviderProblem = 'unreachable' | 'declined' | 'invalid'

/** Limit of the detail in characters; parts of it come from other servers. */
const MAX_DETAIL = 200

/** Thrown when a login at a provider fails. The detail is for administrators, and contains no secret. */
export class ProviderError extends Error {
  readonly problem: ProviderProblem
  readonly detail: string

  constructor(problem: ProviderProblem, detail: string, options?: ErrorOptions) {
    super(`${problem}: ${detail}`, options)
    this.problem = problem
    this.detail = detail.slice(0, MAX_DETAIL)
  }
}

/** Token endpoint errors that only say that the code is invalid or expired. */
const CODE_REFUSED = 'invalid_grant'

/** Library errors about the provider's answers. */
const OF_ANSWERS = [
  OperationProcessingError,
  UnsupportedOperationError,
  WWWAuthenticateChallengeError,
  errors.JOSEError,
]

/** Runs a step of a login at a provider. @throws ProviderError for any fault of the provider */
export async function withProvider<Value>(step: () => Promise<Value>): Promise<Value> {
  try {
    return await step()
  } catch (error) {
    throw asProviderError(error)
  }
}

/** Returns any other error unchanged: that would be a fault of our own. */
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

/** Returns an OAuth error code; any other text is dropped, since anyone may put one into an address. */
function codeIn(text: string): string {
  return /^[a-z_]{1,40}$/.test(text) ? text : 'unknown'
}
