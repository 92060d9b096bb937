import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'
import { type AuthorizationServer, discoveryRequest, processDiscoveryResponse } from 'oauth4webapi'
import { parseJson } from '../../core/json.ts'
import { HOUR, MINUTE } from '../../core/time.ts'
import { remember } from '../requests-of-networks.ts'
import { type ProviderCalls, ProviderError, requireProviderAddress, withProvider } from './provider-calls.ts'

/** Algorithms with a key pair, which excludes `none` and those keyed by the client secret. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/** Tolerated clock difference between servers, in seconds. */
export const CLOCK_SECONDS = MINUTE

/** Seconds after which keys are fetched again: a key withdrawn by its owner stays valid no longer. */
const KEPT_SECONDS = HOUR
/** Minimum seconds between fetches caused by an unknown key, so that tokens with invented keys cost no more. */
const UNKNOWN_KEY_SECONDS = MINUTE
/** Number of addresses whose keys an isolate caches. */
const MAX_KEPT = 50
const MAX_KEYS_LENGTH = 64 * 1024

interface KeptKeys {
  readonly keys: ReturnType<typeof createLocalJWKSet>
  /** UNIX seconds. */
  readonly fetchedAt: number
  /** When an unknown key last caused a fetch. */
  readonly missedAt: number
}

const kept = new Map<string, KeptKeys>()

/**
 * Returns the claims of a token signed with one of the keys at an address, which are cached. A token with an unknown key causes a new
 * fetch, at most once a minute.
 * @throws ProviderError
 */
export async function verifySigned(
  token: string,
  keysAt: string,
  options: Pick<JWTVerifyOptions, 'issuer' | 'audience' | 'requiredClaims'>,
  calls: ProviderCalls,
): Promise<JWTPayload> {
  const checks = { ...options, algorithms: ALGORITHMS, clockTolerance: CLOCK_SECONDS }
  return withProvider(async () => {
    const found = await keysOf(keysAt, calls)
    const now = Date.now() / 1_000
    try {
      return await claimsOf(token, found, checks)
    } catch (error) {
      const mayFetch = now - found.missedAt >= UNKNOWN_KEY_SECONDS
      if (!mayFetch || !(error instanceof errors.JWKSNoMatchingKey)) throw error
      return claimsOf(token, await fetchKeys(keysAt, calls, now), checks)
    }
  })
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
    : fetchKeys(address, calls, found?.missedAt ?? 0)
}

async function fetchKeys(address: string, calls: ProviderCalls, missedAt: number): Promise<KeptKeys> {
  const response = await calls.call(address, { headers: { Accept: 'application/json' } })
  const text = await response.text()
  if (response.status !== 200) throw new ProviderError('invalid', `Its keys answer ${response.status}`)
  if (text.length > MAX_KEYS_LENGTH) throw new ProviderError('invalid', 'It has too many keys')
  const found = { keys: createLocalJWKSet(keySetIn(text)), fetchedAt: Date.now() / 1_000, missedAt }
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
  | 'authorization_response_iss_parameter_supported'
  | 'id_token_signing_alg_values_supported'
> & { readonly authorization_endpoint: string; readonly jwks_uri: string }

/** Number of issuers whose metadata an isolate caches; the least recently used is dropped first. */
const MAX_DOCUMENTS = 50

const documents = new Map<string, { readonly server: ProviderServer; readonly until: number }>()

/** Returns the metadata of a provider, by its issuer. @throws ProviderError */
export async function discover(issuer: string, calls: ProviderCalls): Promise<ProviderServer> {
  // The deployment's rule for addresses applies to cached metadata too.
  const address = requireProviderAddress(issuer, calls.allowedHosts)
  const found = documents.get(issuer)
  if (found && found.until > Date.now() / 1_000) return found.server
  const server = await withProvider(async () => {
    const response = await discoveryRequest(address, { algorithm: 'oidc', ...calls.options })
    return neededOf(await processDiscoveryResponse(address, response), calls)
  })
  remember(documents, issuer, { server, until: Date.now() / 1_000 + KEPT_SECONDS }, MAX_DOCUMENTS)
  return server
}

function neededOf(server: AuthorizationServer, { allowedHosts }: ProviderCalls): ProviderServer {
  const { issuer, authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri } = server
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
    ...(server.authorization_response_iss_parameter_supported === true
      ? { authorization_response_iss_parameter_supported: true }
      : {}),
    ...(Array.isArray(server.id_token_signing_alg_values_supported)
      ? { id_token_signing_alg_values_supported: server.id_token_signing_alg_values_supported }
      : {}),
  }
}
