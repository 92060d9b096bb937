import { processAuthorizationCodeResponse } from 'oauth4webapi'
import { hostsIn } from '../../core/outgoing-target.ts'
import { openSecret } from '../../core/sealed-secret.ts'
import { asksAgain } from '../../model/login-providers/login-methods.ts'
import type { ProvenPerson } from '../../model/login-providers/proven-person.ts'
import type { LoginProvider } from '../../store/login-providers/login-provider-rows.ts'
import { type Environment, originAt } from '../environment.ts'
import {
  authorizationAddress,
  beginCodeFlow,
  type Claims,
  clientAt,
  endCodeFlow,
  exchange,
  type FlowSecrets,
  type LogoutAtProvider,
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

/** A user returning from a provider, and the address of their picture. */
export interface CameBack {
  readonly person: ProvenPerson
  readonly picture: string | null
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
  const { preset, groupsClaim, roleClaim } = asked.provider
  const claims =
    preset === 'github'
      ? await endAtGitHub(client, secrets, callback, calls)
      : await endCodeFlow(client, secrets, since, callback, calls)
  return { person: personIn(claims, { groupsClaim, roleClaim }), picture: pictureIn(claims) }
}

/** Returns the sessions named by the log-out token that a provider posted. @throws ProviderError */
export async function logoutFromProvider(asked: AskedProvider, token: string): Promise<LogoutAtProvider> {
  if (asked.provider.preset === 'github')
    throw new ProviderError('invalid', 'GitHub has no back-channel log-out')
  return readLogoutToken(token, asked.provider, callsOf(asked))
}

function callsOf({ env }: AskedProvider): ProviderCalls {
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

/** Limit of a subject in characters (OpenID Connect Core 2), and here of a session too. */
const MAX_SUBJECT = 255
const MAX_EMAIL = 254
const MAX_NAME = 500
const MAX_PICTURE = 2_000
/** Limits of the number and length of the groups and roles considered: the settings have no room for others either. */
const MAX_VALUES = 1_000
const MAX_VALUE = 200

/**
 * Reads the claims of a provider about a user. Values that are too long are left out, since only the subject is required.
 * @throws ProviderError without a usable subject
 */
function personIn(
  claims: Claims,
  names: { readonly groupsClaim: string; readonly roleClaim: string },
): ProvenPerson {
  const subject = textIn(claims.sub, MAX_SUBJECT)
  if (subject === null)
    throw new ProviderError('invalid', 'It gives no id of the account (sub) that could be kept')
  return {
    subject,
    email: textIn(claims.email, MAX_EMAIL),
    // Some providers send it as text.
    isEmailVerified: claims.email_verified === true || claims.email_verified === 'true',
    fullName: nameIn(claims),
    groups: isElsewhere(claims, names.groupsClaim) ? null : valuesIn(claims, names.groupsClaim),
    roles: isElsewhere(claims, names.roleClaim) ? null : valuesIn(claims, names.roleClaim),
    sid: textIn(claims.sid, MAX_SUBJECT),
    loggedInAt: Number.isSafeInteger(claims.auth_time) ? (claims.auth_time as number) : null,
  }
}

/** Returns the address of the user's picture, as the provider states it. */
function pictureIn({ picture }: Claims): string | null {
  return textIn(picture, MAX_PICTURE)
}

function nameIn({ name, given_name, family_name }: Claims): string | null {
  const parts = [given_name, family_name]
    .map((part) => textIn(part, MAX_NAME))
    .filter((part) => part !== null)
  return textIn(name, MAX_NAME) ?? textIn(parts.join(' '), MAX_NAME)
}

function textIn(value: unknown, limit: number): string | null {
  const text = typeof value === 'string' ? value.trim() : ''
  return text !== '' && text.length <= limit ? text : null
}

/** Returns the values of a claim, which may be nested: `realm_access.roles`. A single text is a list of one. */
function valuesIn(claims: Claims, name: string): string[] {
  if (name === '') return []
  const value = Object.hasOwn(claims, name) ? claims[name] : within(claims, name.split('.'))
  const list: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_VALUES) : [value]
  return list.filter((one): one is string => typeof one === 'string' && one !== '' && one.length <= MAX_VALUE)
}

/** Whether a claim was left out because it is too long (OpenID Connect Core 5.6.2). */
function isElsewhere({ _claim_names }: Claims, name: string): boolean {
  return typeof _claim_names === 'object' && _claim_names !== null && Object.hasOwn(_claim_names, name)
}

function within(claims: Claims, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? (value as Record<string, unknown>)[part]
        : undefined,
    claims,
  )
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
