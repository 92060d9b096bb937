import { processAuthorizationCodeResponse } from 'oauth4webapi'
import {
  authorizationAddress,
  type Claims,
  clientAt,
  exchange,
  type FlowSecrets,
  type ProviderClient,
} from './code-flow.ts'
import { type ProviderCalls, requireProviderAddress } from './provider-calls.ts'
import { ProviderError, withProvider } from './provider-error.ts'

/** The public GitHub; any other issuer is a server of one's own, whose API is below itself. */
const PUBLIC = 'https://github.com'
const PUBLIC_API = 'https://api.github.com'

/**
 * GitHub has no OpenID Connect for people: plain OAuth 2, after which its API says whose the token is. Its documentation: "Authorizing
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
export async function beginAtGitHub(
  client: ProviderClient,
  secrets: FlowSecrets,
  { allowedHosts }: ProviderCalls,
): Promise<string> {
  const { authorization_endpoint } = serverAt(client.issuer)
  requireProviderAddress(authorization_endpoint, allowedHosts)
  return authorizationAddress(authorization_endpoint, client, secrets, {})
}

/** Returns the account's facts by the names that claims have. @throws ProviderError */
export async function endAtGitHub(
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

/** Returns the address that GitHub has verified, and to which it writes. */
function primaryOf(emails: unknown): string | undefined {
  const list = Array.isArray(emails) ? (emails as readonly Record<string, unknown>[]) : []
  const primary = list.find((one) => one?.primary === true && one.verified === true)
  return typeof primary?.email === 'string' ? primary.email : undefined
}
