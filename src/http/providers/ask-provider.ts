import { processAuthorizationCodeResponse } from 'oauth4webapi'
import { log } from '../../core/log.ts'
import { hostsIn } from '../../core/outgoing-target.ts'
import { openSecret } from '../../core/sealed-secret.ts'
import { asksAgain } from '../../model/login-providers/login-methods.ts'
import type { ProvenPerson } from '../../model/login-providers/proven-person.ts'
import { type LoginProvider, STANDARD_EMAIL_CLAIM } from '../../store/login-providers/login-provider-rows.ts'
import { type Environment, originAt } from '../request/environment.ts'
import {
  authorizationAddress,
  beginCodeFlow,
  clientAt,
  endCodeFlow,
  exchange,
  type FlowSecrets,
  type LogoutAtProvider,
  logoutAddress,
  type ProviderClient,
  readLogoutToken,
} from './code-flow.ts'
import {
  type ProviderCalls,
  ProviderError,
  providerCalls,
  requireProviderAddress,
  withProvider,
} from './provider-calls.ts'
import { type ChosenClaims, type Claims, lackingIn, personIn, pictureIn } from './provider-claims.ts'

/** The path of the redirect URI with which this server is registered at the provider. */
export const CALLBACK_PATH = '/complete'

/** A provider as used by one organization of this deployment. */
export interface AskedProvider {
  readonly provider: LoginProvider
  readonly env: Environment
  readonly realmId: number
  /** The address of the request, whose host is the organization's. */
  readonly url: URL
}

/**
 * Returns the address to which a browser is sent. `provesAgain`: whether the user must authenticate again even if the provider still
 * knows them.
 * @throws ProviderError
 */
export async function addressAtProvider(
  asked: AskedProvider,
  secrets: FlowSecrets,
  provesAgain: boolean,
): Promise<string> {
  const [client, calls] = [clientOf(asked, null), callsOf(asked)]
  if (provesAgain && !asksAgain(asked.provider)) {
    throw new ProviderError('invalid', 'The provider does not ask people again who they are')
  }
  if (asked.provider.preset !== 'github') {
    const proof = provesAgain ? 'anew' : asksAgain(asked.provider) ? 'with its time' : 'any'
    return beginCodeFlow(client, secrets, proof, calls)
  }
  return beginAtGitHub(client, secrets, calls)
}

/** A user returning from a provider. */
export interface CameBack {
  readonly person: ProvenPerson
  /** The address of their picture. */
  readonly picture: string | null
  /** As the provider has signed it; null at GitHub, which has none. */
  readonly idToken: string | null
}

/**
 * Returns the identity of the user returning from the provider.
 * @param since when the user was sent there to authenticate again (UNIX seconds); null if any login there will do
 * @param callback the query of the address
 * @throws ProviderError; LostSecretError, NoSecretsKeyError
 */
export async function personFromProvider(
  asked: AskedProvider,
  secrets: FlowSecrets,
  since: number | null,
  callback: URLSearchParams,
): Promise<CameBack> {
  const [client, calls] = [clientOf(asked, await secretOf(asked)), callsOf(asked)]
  if (asked.provider.preset === 'github') {
    const sources = [await endAtGitHub(client, secrets, callback, calls)] as const
    return { person: personIn(sources, GITHUB_CLAIMS), picture: pictureIn(sources), idToken: null }
  }
  const end = { since, callback, lackingIn: (claims: Claims) => lackingIn(claims, asked.provider) }
  const { sources, idToken } = await endCodeFlow(client, secrets, end, calls)
  return { person: personIn(sources, asked.provider), picture: pictureIn(sources), idToken }
}

/** Returns the sessions named by the log-out token that a provider posted. @throws ProviderError */
export async function logoutFromProvider(asked: AskedProvider, token: string): Promise<LogoutAtProvider> {
  if (asked.provider.preset === 'github')
    throw new ProviderError('invalid', 'GitHub has no back-channel log-out')
  return readLogoutToken(token, asked.provider, callsOf(asked))
}

/** Returns the address at which a provider ends the session of a browser that is logged out here; null where none is known. */
export async function logoutAddressAt(
  {
    provider,
    env,
    url,
  }: Pick<AskedProvider, 'env' | 'url'> & { readonly provider: Pick<LoginProvider, 'issuer' | 'clientId'> },
  idToken: string | null,
): Promise<string | null> {
  try {
    const end = { idToken, returnTo: `${originAt(url, env)}/` }
    return (await logoutAddress(provider, end, callsOf({ env }))) ?? null
  } catch (error) {
    // Nobody stays logged in here for that.
    if (!(error instanceof ProviderError)) throw error
    log('warn', 'A log-in provider could not be asked how it ends a session', { error })
    return null
  }
}

function callsOf({ env }: Pick<AskedProvider, 'env'>): ProviderCalls {
  return providerCalls(hostsIn(env.WEBHOOK_ALLOWED_HOSTS))
}

function clientOf({ provider, env, url }: AskedProvider, clientSecret: string | null): ProviderClient {
  const { issuer, clientId, tokenAuth, scopes, slug } = provider
  const redirectUri = `${originAt(url, env)}${CALLBACK_PATH}/${slug}/`
  return { issuer, clientId, clientSecret, tokenAuth, scopes, redirectUri }
}

async function secretOf({ provider, env, realmId }: AskedProvider): Promise<string | null> {
  const place = { realmId, purpose: 'login provider' } as const
  return provider.clientSecret === null ? null : openSecret(env, place, provider.clientSecret)
}

/** The public GitHub; any other issuer is a self-hosted server, with its API under the same address. */
const PUBLIC = 'https://github.com'
const PUBLIC_API = 'https://api.github.com'

/**
 * GitHub has no OpenID Connect for users: plain OAuth 2, after which its API tells whose the token is. Its documentation: "Authorizing
 * OAuth apps", "REST API endpoints for users", "… for emails".
 */
function serverAt(issuer: string) {
  const root = new URL(issuer).origin
  return {
    // The `iss` of its callbacks: https://docs.github.com/en/apps/github-authentication-discovery-endpoints
    issuer: `${root}/login/oauth`,
    token_endpoint: `${root}/login/oauth/access_token`,
    authorization_endpoint: `${root}/login/oauth/authorize`,
    api: root === PUBLIC ? PUBLIC_API : `${root}/api/v3`,
  }
}

/** Returns the address at GitHub to which a browser is sent. @throws ProviderError */
async function beginAtGitHub(
  client: ProviderClient,
  secrets: FlowSecrets,
  { allowedHosts }: ProviderCalls,
): Promise<string> {
  const { authorization_endpoint } = serverAt(client.issuer)
  requireProviderAddress(authorization_endpoint, allowedHosts)
  return authorizationAddress(authorization_endpoint, client, secrets, {})
}

/** The facts about an account at GitHub have the names of claims. It knows no groups here, and no roles. */
const GITHUB_CLAIMS: ChosenClaims = { emailClaim: STANDARD_EMAIL_CLAIM, groupsClaim: '', roleClaim: '' }

/** Returns the account's facts under the names of claims. @throws ProviderError */
async function endAtGitHub(
  client: ProviderClient,
  secrets: FlowSecrets,
  callback: URLSearchParams,
  calls: ProviderCalls,
): Promise<Claims> {
  const server = serverAt(client.issuer)
  return withProvider(async () => {
    const response = await exchange(server, client, secrets, callback, calls)
    const { access_token } = await processAuthorizationCodeResponse(server, clientAt(client), response)
    const ask = (path: string) => askApi(`${server.api}${path}`, access_token, calls)
    const [user, emails] = await Promise.all([ask('/user'), ask('/user/emails?per_page=100')])
    const { id, login, name, avatar_url } = user as Record<string, unknown>
    if (!Number.isSafeInteger(id)) throw new ProviderError('invalid', 'GitHub names no account')
    const email = primaryOf(emails)
    return {
      sub: String(id),
      name: name ?? login,
      picture: avatar_url,
      ...(email === undefined ? {} : { email, email_verified: true }),
    }
  })
}

async function askApi(url: string, token: string, { call }: ProviderCalls): Promise<unknown> {
  const response = await call(url, {
    headers: { Authorization: `Bearer ${token}`, Accept: 'application/vnd.github+json' },
  })
  if (response.status !== 200) throw new ProviderError('invalid', `Its API answers ${response.status}`)
  return response.json().catch((error: unknown) => {
    throw new ProviderError('invalid', 'Its API answers without JSON', { cause: error })
  })
}

/** Returns the primary address, verified by GitHub. */
function primaryOf(emails: unknown): string | undefined {
  const list = Array.isArray(emails) ? (emails as readonly Record<string, unknown>[]) : []
  const primary = list.find((one) => one?.primary === true && one.verified === true)
  return typeof primary?.email === 'string' ? primary.email : undefined
}
