import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'
import { type AuthorizationServer, discoveryRequest, processDiscoveryResponse } from 'oauth4webapi'
import { jsonText, parseJson } from '../../core/json.ts'
import { HOUR, MINUTE } from '../../core/time.ts'
import { remember } from '../request/requests-of-networks.ts'
import { type ProviderCalls, ProviderError, requireProviderAddress, withProvider } from './provider-calls.ts'

/** Algorithms with a key pair, which excludes `none` and those keyed by the client secret. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/** Tolerated clock difference between servers, in seconds. */
export const CLOCK_SECONDS = MINUTE

/** Seconds after which keys and metadata are fetched again: a key withdrawn by its owner stays valid no longer. */
const KEPT_SECONDS = HOUR
/** Minimum seconds between fetches caused by tokens that do not fit, so that tokens with invented keys cost no more. */
const RETRY_SECONDS = MINUTE
/** Number of addresses whose keys an isolate caches. */
const MAX_KEPT = 50
const MAX_KEYS_LENGTH = 64 * 1024

/**
 * Who has brought a token: the provider, in its answer to this server, or anybody, in a request. Those of anybody, which may be invented,
 * use up no fetch that a log-in at the provider needs.
 */
export type Bringer = 'provider' | 'anybody'

/** When a token that did not fit last caused a fetch, in UNIX seconds. */
type Retries = Partial<Record<Bringer, number>>

interface KeptKeys {
  readonly keys: ReturnType<typeof createLocalJWKSet>
  /** UNIX seconds. */
  readonly fetchedAt: number
  readonly retries: Retries
}

const kept = new Map<string, KeptKeys>()

/** Returns what follows a fetch for a token that did not fit; undefined if the last one was less than a minute ago. */
function retriesAfter(retries: Retries, bringer: Bringer): Retries | undefined {
  const now = Date.now() / 1_000
  return now - (retries[bringer] ?? 0) < RETRY_SECONDS ? undefined : { ...retries, [bringer]: now }
}

/**
 * Returns the claims of a token signed with one of the keys at an address, which are cached. They are fetched again, at most once a minute,
 * for a token with an unknown key, or whose signature does not fit: the provider may have another key of the same name.
 * @throws ProviderError
 */
export async function verifySigned(
  token: string,
  { keysAt, bringer }: { readonly keysAt: string; readonly bringer: Bringer },
  options: Pick<JWTVerifyOptions, 'issuer' | 'audience' | 'requiredClaims'>,
  calls: ProviderCalls,
): Promise<JWTPayload> {
  const checks = { ...options, algorithms: ALGORITHMS, clockTolerance: CLOCK_SECONDS }
  return withProvider(async () => {
    const found = await keysOf(keysAt, calls)
    try {
      return await claimsOf(token, found, checks)
    } catch (error) {
      const retries = isOfKey(error) ? retriesAfter(found.retries, bringer) : undefined
      if (!retries) throw error
      return claimsOf(token, await fetchKeys(keysAt, calls, retries), checks)
    }
  })
}

/** Whether other keys may let the token pass. */
function isOfKey(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof ProviderError
  )
}

async function claimsOf(token: string, { keys }: KeptKeys, checks: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys, checks)).payload
  } catch (error) {
    if (error instanceof errors.JOSEError) throw error
    // The platform reports it by several types of error.
    throw new ProviderError('invalid', 'One of its keys cannot be used', { cause: error })
  }
}

async function keysOf(address: string, calls: ProviderCalls): Promise<KeptKeys> {
  const found = kept.get(address)
  const now = Date.now() / 1_000
  return found && now - found.fetchedAt < KEPT_SECONDS
    ? found
    : fetchKeys(address, calls, found?.retries ?? {})
}

async function fetchKeys(address: string, calls: ProviderCalls, retries: Retries): Promise<KeptKeys> {
  const response = await calls.call(address, { headers: { Accept: 'application/json' } })
  const text = await response.text()
  if (response.status !== 200) throw new ProviderError('invalid', `Its keys answer ${response.status}`)
  if (text.length > MAX_KEYS_LENGTH) throw new ProviderError('invalid', 'It has too many keys')
  const found = { keys: createLocalJWKSet(keySetIn(text)), fetchedAt: Date.now() / 1_000, retries }
  remember(kept, address, found, MAX_KEPT)
  return found
}

/** Its form is checked where it is used. */
function keySetIn(text: string): JSONWebKeySet {
  try {
    return parseJson(text) as JSONWebKeySet
  } catch (error) {
    throw new ProviderError('invalid', 'Its keys are no JSON', { cause: error })
  }
}

/** The part of a provider's metadata that a login needs. */
export type ProviderServer = Pick<
  AuthorizationServer,
  | 'issuer'
  | 'token_endpoint'
  | 'userinfo_endpoint'
  | 'end_session_endpoint'
  | 'authorization_response_iss_parameter_supported'
  | 'id_token_signing_alg_values_supported'
> & { readonly authorization_endpoint: string; readonly jwks_uri: string }

/** Number of issuers whose metadata an isolate caches; the least recently used is dropped first. */
const MAX_DOCUMENTS = 50

interface KeptDocument {
  readonly server: ProviderServer
  /** UNIX seconds. */
  readonly fetchedAt: number
  readonly retries: Retries
}

const documents = new Map<string, KeptDocument>()

/** Returns the metadata of a provider, by its issuer. @throws ProviderError */
export async function discover(issuer: string, calls: ProviderCalls): Promise<ProviderServer> {
  // The deployment's rule for addresses applies to cached metadata too.
  requireProviderAddress(issuer, calls.allowedHosts)
  const found = documents.get(issuer)
  if (found && Date.now() / 1_000 - found.fetchedAt < KEPT_SECONDS) return found.server
  return fetchDocument(issuer, calls, found?.retries ?? {})
}

async function fetchDocument(
  issuer: string,
  calls: ProviderCalls,
  retries: Retries,
): Promise<ProviderServer> {
  const address = requireProviderAddress(issuer, calls.allowedHosts)
  const server = await withProvider(async () => {
    const response = await discoveryRequest(address, { algorithm: 'oidc', ...calls.options })
    return neededOf(await processDiscoveryResponse(address, response), calls)
  })
  remember(documents, issuer, { server, fetchedAt: Date.now() / 1_000, retries }, MAX_DOCUMENTS)
  return server
}

/**
 * Checks a token by the metadata of its provider. Where it does not fit what is cached, the metadata is fetched again, at most once a minute,
 * since the provider may sign with another algorithm, or have its keys at another address, by now.
 * @throws ProviderError
 */
export async function byMetadata<Value>(
  issuer: string,
  bringer: Bringer,
  calls: ProviderCalls,
  check: (server: ProviderServer) => Promise<Value>,
): Promise<Value> {
  const server = await discover(issuer, calls)
  try {
    return await withProvider(() => check(server))
  } catch (error) {
    if (!(error instanceof ProviderError) || error.problem !== 'invalid') throw error
    const retries = retriesAfter(documents.get(issuer)?.retries ?? {}, bringer)
    if (!retries) throw error
    const present = await fetchDocument(issuer, calls, retries)
    if (jsonText(present) === jsonText(server)) throw error
    return withProvider(() => check(present))
  }
}

function neededOf(server: AuthorizationServer, { allowedHosts }: ProviderCalls): ProviderServer {
  const { issuer, authorization_endpoint, token_endpoint, jwks_uri } = server
  const { userinfo_endpoint, end_session_endpoint } = server
  if (authorization_endpoint === undefined || token_endpoint === undefined || jwks_uri === undefined) {
    throw new ProviderError(
      'invalid',
      'Its metadata lacks authorization_endpoint, token_endpoint or jwks_uri',
    )
  }
  // Browsers are sent there.
  requireProviderAddress(authorization_endpoint, allowedHosts)
  const needed = { issuer, authorization_endpoint, token_endpoint, jwks_uri }
  return {
    ...needed,
    ...(userinfo_endpoint === undefined ? {} : { userinfo_endpoint }),
    ...(end_session_endpoint === undefined ? {} : { end_session_endpoint }),
    ...(server.authorization_response_iss_parameter_supported === true
      ? { authorization_response_iss_parameter_supported: true }
      : {}),
    ...(Array.isArray(server.id_token_signing_alg_values_supported)
      ? { id_token_signing_alg_values_supported: server.id_token_signing_alg_values_supported }
      : {}),
  }
}
