import type { WorkerContext } from '../../../api/worker-context.ts'
import { basicAuthorization } from '../../../core/basic-authorization.ts'
import { tryParseJson } from '../../../core/json.ts'
import { hostsIn, isAllowedTarget } from '../../../core/outgoing-target.ts'
import type { ProviderTest } from '../../../model/login-providers/find-login-provider.ts'
import {
  CallTimeoutError,
  callOut,
  ForbiddenTargetError,
  type OutgoingAnswer,
  type OutgoingCall,
} from '../../../outgoing/call-out.ts'

/** Timeout of one call to a provider, in milliseconds. */
const PATIENCE_MS = 5_000
const MAX_ANSWER_BYTES = 100_000

type Settings = Pick<WorkerContext['env'], 'WEBHOOK_ALLOWED_HOSTS'>

/** A provider's metadata, of which no type can be trusted. */
type Metadata = Readonly<Record<string, unknown>>

/** Thrown with the sentence that the owner reads. */
class ProviderProblem extends Error {}

/**
 * Makes the calls that a login would make to a provider: its metadata and keys, and whether it accepts this client and its secret.
 * Returns a sentence for owners about the problem; null if there is none.
 */
export async function testProvider(env: Settings, test: ProviderTest): Promise<string | null> {
  try {
    if (test.preset === 'github') await testGitHub(env, test)
    else await testOpenId(env, test)
    return null
  } catch (error) {
    if (error instanceof ProviderProblem) return error.message
    throw error
  }
}

async function testOpenId(env: Settings, test: ProviderTest): Promise<void> {
  const metadata = await readMetadata(env, test.issuer)
  requireIssuer(metadata, test.issuer)
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
    requireEndpoint(env, metadata, name)
  }
  requireOffered(metadata, 'response_types_supported', 'code', 'the code flow')
  requireOffered(metadata, 'code_challenge_methods_supported', 'S256', 'PKCE with S256')
  await requireKnownClient(env, metadata.token_endpoint as string, test)
}

async function readMetadata(env: Settings, issuer: string): Promise<Metadata> {
  const address = `${issuer.endsWith('/') ? issuer.slice(0, -1) : issuer}/.well-known/openid-configuration`
  const { response, body, isCut } = await ask(env, address, { headers: { Accept: 'application/json' } })
  if (response.status >= 300 && response.status < 400) {
    throw new ProviderProblem(
      `${address} redirects to another address. Enter the issuer as the provider writes it.`,
    )
  }
  if (response.status !== 200) {
    throw new ProviderProblem(
      `${address} answers with status ${response.status}. Check the address of the provider.`,
    )
  }
  const metadata = isCut ? undefined : objectIn(body)
  if (!metadata) throw new ProviderProblem(`${address} is not the description of an OpenID Connect provider.`)
  return metadata
}

function requireIssuer({ issuer }: Metadata, entered: string): void {
  if (issuer === entered) return
  const own = typeof issuer === 'string' ? `“${issuer.slice(0, 200)}”` : 'nothing'
  throw new ProviderProblem(`The provider calls itself ${own}. Enter exactly that as its address.`)
}

/** Browsers are sent to these addresses, and this server asks them. */
function requireEndpoint(env: Settings, metadata: Metadata, name: string): void {
  const address = metadata[name]
  if (typeof address === 'string' && isAllowedTarget(address, hostsIn(env.WEBHOOK_ALLOWED_HOSTS))) return
  throw new ProviderProblem(
    `The provider’s description has no ${name}, or one that this server may not call.`,
  )
}

/** A list that the metadata lacks says nothing. */
function requireOffered(metadata: Metadata, name: string, value: string, words: string): void {
  const offered = metadata[name]
  if (!Array.isArray(offered) || offered.includes(value)) return
  throw new ProviderProblem(`The provider does not offer ${words}, which a log-in here needs.`)
}

/** Redeems an invented code: a provider checks the client before the code. */
async function requireKnownClient(env: Settings, address: string, test: ProviderTest): Promise<void> {
  const { clientId, clientSecret, tokenAuth, redirectUri } = test
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: 'none',
    redirect_uri: redirectUri,
    code_verifier: 'a'.repeat(43),
    ...(tokenAuth === 'basic' ? {} : { client_id: clientId }),
    ...(tokenAuth === 'post' ? { client_secret: clientSecret! } : {}),
  })
  const headers = {
    Accept: 'application/json',
    'Content-Type': 'application/x-www-form-urlencoded',
    ...(tokenAuth === 'basic'
      ? { Authorization: basicAuthorization(encoded(clientId), encoded(clientSecret!)) }
      : {}),
  }
  const { response, body } = await ask(env, address, { method: 'POST', headers, body: form.toString() })
  const { error } = objectIn(body) ?? {}
  if (response.status === 401 || error === 'invalid_client' || error === 'unauthorized_client') {
    throw new ProviderProblem(
      'The provider does not know this client ID with this secret, or wants the secret to be sent in another way.',
    )
  }
  if (response.status >= 500) {
    throw new ProviderProblem(`${address} answers with status ${response.status}. Try again later.`)
  }
}

/** GitHub publishes no metadata, but can tell whether it knows a client. Source: GitHub's documentation, “Check a token”. */
async function testGitHub(env: Settings, { issuer, clientId, clientSecret }: ProviderTest): Promise<void> {
  const api =
    new URL(issuer).host === 'github.com' ? 'https://api.github.com' : `${new URL(issuer).origin}/api/v3`
  const address = `${api}/applications/${encodeURIComponent(clientId)}/token`
  const headers = {
    Accept: 'application/vnd.github+json',
    'Content-Type': 'application/json',
    'User-Agent': 'Parley',
    Authorization: basicAuthorization(clientId, clientSecret ?? ''),
  }
  const body = JSON.stringify({ access_token: 'none' })
  const { response } = await ask(env, address, { method: 'POST', headers, body })
  // A known client is told that the token does not exist.
  if (response.status === 404 || response.status === 422) return
  if (response.status === 401)
    throw new ProviderProblem('GitHub does not know this client ID with this secret.')
  throw new ProviderProblem(`${address} answers with status ${response.status}. Try again later.`)
}

/** OAuth encodes both parts as in a form (RFC 6749, 2.3.1). */
function encoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}

/** @throws ProviderProblem if the provider does not answer */
async function ask(env: Settings, url: string, init: OutgoingCall['init']): Promise<OutgoingAnswer> {
  const named = { by: 'user', allowedHosts: hostsIn(env.WEBHOOK_ALLOWED_HOSTS) } as const
  try {
    return await callOut({ url, named, init, timeoutMs: PATIENCE_MS, maxBytes: MAX_ANSWER_BYTES })
  } catch (error) {
    if (error instanceof ForbiddenTargetError) throw new ProviderProblem(`This server may not call ${url}.`)
    if (error instanceof CallTimeoutError) {
      throw new ProviderProblem(`${url} has not answered within ${PATIENCE_MS / 1_000} seconds.`)
    }
    throw new ProviderProblem(`${url} cannot be reached. Check the address of the provider.`)
  }
}

function objectIn(body: Uint8Array): Metadata | undefined {
  const value = tryParseJson(new TextDecoder().decode(body))
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Metadata)
    : undefined
}
