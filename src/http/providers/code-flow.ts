import {
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  clockTolerance,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  getValidatedIdTokenClaims,
  None,
  processAuthorizationCodeResponse,
  processUserInfoResponse,
  userInfoRequest,
  validateAuthResponse,
} from 'oauth4webapi'
import { log } from '../../core/log.ts'
import { DAY } from '../../core/time.ts'
import { type ProviderCalls, ProviderError, requireProviderAddress, withProvider } from './provider-calls.ts'
import type { Claims, Lacking, Sources } from './provider-claims.ts'
import { byMetadata, CLOCK_SECONDS, discover, type ProviderServer, verifySigned } from './signing-keys.ts'

/** How this server is known at a provider. */
export interface ProviderClient {
  readonly issuer: string
  readonly clientId: string
  /** Null for a public client. */
  readonly clientSecret: string | null
  readonly tokenAuth: 'basic' | 'post' | 'none'
  /** Separated by spaces. */
  readonly scopes: string
  /** The callback address, exactly as registered at the provider. */
  readonly redirectUri: string
}

/** The secrets that identify a pending login; only the browser that started it has them. */
export interface FlowSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export function newFlowSecrets(): FlowSecrets {
  return {
    state: generateRandomState(),
    nonce: generateRandomNonce(),
    verifier: generateRandomCodeVerifier(),
  }
}

/** By OpenID Connect Core 3.1.2.1, a provider given `max_age` must state in the ID token when the user authenticated. */
const ASKED_FOR = {
  anew: { prompt: 'login', max_age: '0' },
  'with its time': { max_age: String(365 * DAY) },
  any: {},
} as const

/**
 * Returns the address at the provider to which a browser is sent.
 * @param proof `anew`: the user must authenticate again even if the provider still knows them; `with its time`: the provider must state
 * when they authenticated
 * @throws ProviderError
 */
export async function beginCodeFlow(
  client: ProviderClient,
  secrets: FlowSecrets,
  proof: keyof typeof ASKED_FOR,
  calls: ProviderCalls,
): Promise<string> {
  const { authorization_endpoint } = await discover(client.issuer, calls)
  return authorizationAddress(authorization_endpoint, client, secrets, {
    nonce: secrets.nonce,
    ...ASKED_FOR[proof],
  })
}

/** Returns the address with the parameters of the code flow, replacing its own of the same names. */
export async function authorizationAddress(
  endpoint: string,
  { clientId, redirectUri, scopes }: Pick<ProviderClient, 'clientId' | 'redirectUri' | 'scopes'>,
  { state, verifier }: Pick<FlowSecrets, 'state' | 'verifier'>,
  more: Readonly<Record<string, string>>,
): Promise<string> {
  const address = new URL(endpoint)
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    ...(scopes === '' ? {} : { scope: scopes }),
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  }
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return address.href
}

export interface EndedFlow {
  readonly sources: Sources
  /** As the provider has signed it. */
  readonly idToken: string
}

interface FlowEnd {
  /** When the user was sent to the provider to authenticate again (UNIX seconds); null if any login there will do. */
  readonly since: number | null
  /** The query with which the provider sent the browser back. */
  readonly callback: URLSearchParams
  /** Returns what the ID token lacks: for that UserInfo is asked. */
  readonly lackingIn: (idToken: Claims) => Lacking
}

/**
 * Completes the code flow: exchanges the code, and returns the claims of the ID token and, where those do not suffice, of UserInfo about the
 * same subject. OpenID Connect Core 3.1.3.7 and RFC 9207 define the checks.
 * @throws ProviderError
 */
export async function endCodeFlow(
  client: ProviderClient,
  secrets: FlowSecrets,
  { since, callback, lackingIn }: FlowEnd,
  calls: ProviderCalls,
): Promise<EndedFlow> {
  const server = await discover(client.issuer, calls)
  return withProvider(async () => {
    const known = clientAt(client)
    // A code is good once; its answer is read again if it does not fit the metadata of until now.
    const { status, headers, body } = await exchange(server, client, secrets, callback, calls)
    const bytes = body && (await new Response(body).arrayBuffer())
    const { tokens, claims } = await byMetadata(client.issuer, 'provider', calls, async (present) => {
      const tokens = await processAuthorizationCodeResponse(
        present,
        known,
        new Response(bytes, { status, headers }),
        {
          expectedNonce: secrets.nonce,
          requireIdToken: true,
        },
      )
      await verifySigned(
        tokens.id_token!,
        { keysAt: present.jwks_uri, bringer: 'provider' },
        { issuer: present.issuer, audience: client.clientId, requiredClaims: ['sub', 'exp', 'iat'] },
        calls,
      )
      return { tokens, claims: getValidatedIdTokenClaims(tokens)! }
    })
    if (claims.iat > Date.now() / 1_000 + CLOCK_SECONDS) {
      throw new ProviderError('invalid', 'The ID token is of a later time (iat)')
    }
    if (claims.azp !== undefined && claims.azp !== client.clientId) {
      throw new ProviderError('invalid', 'The ID token is for another client (azp)')
    }
    // The claim is required if it was requested. A provider that omits it may not have been asked: the address passes through the browser.
    if (since !== null && !(Number(claims.auth_time) >= since - CLOCK_SECONDS)) {
      throw new ProviderError('invalid', 'The person has not logged in again (auth_time)')
    }
    const idToken = tokens.id_token!
    const lacking = lackingIn(claims)
    if (lacking === 'nothing' || server.userinfo_endpoint === undefined) return { sources: [claims], idToken }
    const asked = withProvider(async () => {
      const response = await userInfoRequest(server, known, tokens.access_token, calls.options)
      return processUserInfoResponse(server, known, claims.sub, response)
    })
    const info = await asked.catch((error: unknown) => {
      if (lacking === 'the address' || !(error instanceof ProviderError)) throw error
      log('warn', 'A log-in provider has answered without UserInfo', { error })
      return undefined
    })
    return { sources: [claims, info], idToken }
  })
}

/** Exchanges the code of a callback whose state and issuer have been checked. */
export async function exchange(
  server: Pick<ProviderServer, 'issuer' | 'token_endpoint'>,
  client: ProviderClient,
  { state, verifier }: FlowSecrets,
  callback: URLSearchParams,
  calls: ProviderCalls,
): Promise<Response> {
  const known = clientAt(client)
  const parameters = validateAuthResponse(server, known, callback, state)
  requireProviderAddress(server.token_endpoint!, calls.allowedHosts)
  return authorizationCodeGrantRequest(
    server,
    known,
    authenticationOf(client),
    parameters,
    client.redirectUri,
    verifier,
    calls.options,
  )
}

export function clientAt({ clientId }: ProviderClient): Client {
  return { client_id: clientId, [clockTolerance]: CLOCK_SECONDS }
}

function authenticationOf({ tokenAuth, clientSecret }: ProviderClient): ClientAuth {
  if (tokenAuth === 'none' || clientSecret === null) return None()
  return tokenAuth === 'post' ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret)
}

/**
 * Returns the address at which a provider ends its session with a browser, and sends it back to `returnTo`; undefined where it has none. OpenID
 * Connect RP-Initiated Logout 1.0. `idToken`: of that session; without one providers ask the user.
 * @throws ProviderError
 */
export async function logoutAddress(
  { issuer, clientId }: Pick<ProviderClient, 'issuer' | 'clientId'>,
  { idToken, returnTo }: { readonly idToken: string | null; readonly returnTo: string },
  calls: ProviderCalls,
): Promise<string | undefined> {
  const { end_session_endpoint } = await discover(issuer, calls)
  if (end_session_endpoint === undefined) return undefined
  const address = requireProviderAddress(end_session_endpoint, calls.allowedHosts)
  address.searchParams.set('client_id', clientId)
  address.searchParams.set('post_logout_redirect_uri', returnTo)
  if (idToken !== null) address.searchParams.set('id_token_hint', idToken)
  return address.href
}

/** The sessions that a provider logged out: one of its own, or all of an account. */
export interface LogoutAtProvider {
  readonly subject: string | null
  readonly sid: string | null
  /** When the token was issued, in UNIX seconds. */
  readonly saidAt: number
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const MAX_LENGTH = 255
/** Seconds for which a token is valid after it was issued, whatever it says. */
const GOOD_FOR_SECONDS = 600

/** Reads a back-channel log-out token. OpenID Connect Back-Channel Logout 1.0, 2.4 and 2.6, define the checks. @throws ProviderError */
export async function readLogoutToken(
  token: string,
  { issuer, clientId }: Pick<ProviderClient, 'issuer' | 'clientId'>,
  calls: ProviderCalls,
): Promise<LogoutAtProvider> {
  const requiredClaims = ['iat', 'jti', 'events']
  const { sub, sid, jti, iat, events, nonce } = await byMetadata(issuer, 'anybody', calls, (server) => {
    const checks = { issuer: server.issuer, audience: clientId, requiredClaims }
    return verifySigned(token, { keysAt: server.jwks_uri, bringer: 'anybody' }, checks, calls)
  })
  const now = Date.now() / 1_000
  if (nonce !== undefined) throw invalid('has a nonce: it is an ID token')
  if (!isEvent(events)) throw invalid('is of no back-channel log-out (events)')
  if (Math.abs(now - iat!) > GOOD_FOR_SECONDS + CLOCK_SECONDS) throw invalid('is too old (iat)')
  const [subject, session] = [idIn(sub), idIn(sid)]
  if (idIn(jti) === null) throw invalid('has no id (jti)')
  if (subject === null && session === null) throw invalid('says neither of whom nor which session (sub, sid)')
  return { subject, sid: session, saidAt: Math.floor(iat!) }
}

function invalid(what: string): ProviderError {
  return new ProviderError('invalid', `The log-out token ${what}`)
}

function isEvent(events: unknown): boolean {
  return (
    typeof events === 'object' &&
    events !== null &&
    Object.hasOwn(events, EVENT) &&
    typeof (events as Record<string, unknown>)[EVENT] === 'object'
  )
}

/** A claim of another type, or one that cannot be ours, is not an id. */
function idIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH ? value : null
}
