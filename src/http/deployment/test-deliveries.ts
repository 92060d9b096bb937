import * as v from 'valibot'
import {
  AdminActionRequiredError,
  type ApiError,
  BadRequestError,
  FailedToConnectBouncerError,
  InternalBouncerServerError,
  InvalidRemotePushDeviceTokenError,
  NonexistentSubdomainError,
  ServiceUnavailableError,
  UnauthorizedError,
} from '../../core/errors.ts'
import { parseJson } from '../../core/json.ts'
import { log } from '../../core/log.ts'
import { hostsIn, isAllowedTarget } from '../../core/outgoing-target.ts'
import type { ProviderTest } from '../../model/login-providers/find-login-provider.ts'
import type { SealedTest, SealedTestReceipt, TestPush } from '../../model/push/test-notification.ts'
import {
  CallTimeoutError,
  callOut,
  ForbiddenTargetError,
  type OutgoingAnswer,
  type OutgoingCall,
} from '../../realm/outgoing/call-out.ts'
import { testEmail } from '../../realm/outgoing/mail/email-handover.ts'
import { describeEmailWay, emailOutletOf, NO_MAIL_SERVICE } from '../../realm/outgoing/mail/email-sender.ts'
import {
  BouncerFailure,
  BouncerRefusal,
  type PushEnvironment,
} from '../../realm/outgoing/push/ask-bouncer.ts'
import { notifyEncrypted, pushBouncerOf } from '../../realm/outgoing/push/push-bouncer.ts'
import { findRealmByHost, isOrganizationTicket } from '../../store/d1/realms.ts'
import { basicAuthorization } from '../credentials.ts'
import type { Environment } from '../environment.ts'
import { readJson } from '../input/arriving-body.ts'
import { respondFailure, respondSuccess } from '../respond.ts'
import { sha256Hex } from '../sha256.ts'

/**
 * Asks the bouncer to deliver a test to a device, from the Worker, so that the realm does not wait for it.
 */
export async function testPush(env: PushEnvironment, test: TestPush): Promise<void> {
  try {
    await pushBouncerOf(env).test(test)
  } catch (error) {
    if (error instanceof BouncerRefusal && error.code === 'INVALID_REMOTE_PUSH_DEVICE_TOKEN') {
      throw new InvalidRemotePushDeviceTokenError()
    }
    log('error', 'No test notification', { error })
    throw new ServiceUnavailableError()
  }
}

/** Sends a test as `testPush` does, to devices that get encrypted notifications. */
export async function testSealedPush(
  env: PushEnvironment,
  { notifications }: SealedTest,
): Promise<SealedTestReceipt> {
  try {
    let sent = 0
    const gone: { sealed: readonly string[]; keyed: readonly string[] } = { sealed: [], keyed: [] }
    for (const notification of notifications) {
      const receipt = await notifyEncrypted(env, notification)
      sent += receipt.sent
      gone[notification.way] = receipt.gone[notification.way]
    }
    return { sent, gone }
  } catch (error) {
    log('error', 'No encrypted test notification', { error })
    throw refusalFor(error)
  }
}

/** Returns the refusal of a test, which says whether to wait, or whom to ask. */
function refusalFor(error: unknown): ApiError {
  if (error instanceof BouncerRefusal) return new AdminActionRequiredError()
  const status = error instanceof BouncerFailure ? error.status : undefined
  if (status === undefined) return new FailedToConnectBouncerError()
  return status >= 500 ? new InternalBouncerServerError() : new AdminActionRequiredError()
}

const testMail = v.object({
  ticket: v.pipe(v.string(), v.maxLength(200)),
  host: v.pipe(v.string(), v.maxLength(253), v.toLowerCase()),
  to: v.pipe(v.string(), v.maxLength(254), v.regex(/^[^\s@<>]+@[^\s@<>]+$/)),
})

/**
 * POST /setup/test-mail: tries at once how mail is sent, and describes any problem, for the person who administers
 * the deployment's account: it takes a ticket that was entered in D1 for this host before, as founding an
 * organization does.
 */
export async function sendTestMail(request: Request, env: Environment): Promise<Response> {
  try {
    const parsed = v.safeParse(testMail, await readJson(request))
    if (!parsed.success) throw new BadRequestError(`${v.getDotPath(parsed.issues[0]) ?? 'body'} is not valid`)
    const { ticket, host, to } = parsed.output
    const now = Math.floor(Date.now() / 1_000)
    if (!(await isOrganizationTicket(env.DB, { digest: await sha256Hex(ticket), host }, now))) {
      throw new UnauthorizedError('Invalid ticket')
    }
    if (!(await findRealmByHost(env.DB, host))) throw new NonexistentSubdomainError()
    return await respondSuccess({ way: await tryToSend(env, host, to) })
  } catch (error) {
    return respondFailure('test-mail', error)
  }
}

/**
 * Sends a test mail and returns the way by which it went.
 *
 * @throws BadRequestError that says what is wrong
 */
async function tryToSend(env: Environment, host: string, to: string): Promise<string> {
  try {
    const way = describeEmailWay(env)
    if (way === undefined) throw new Error(NO_MAIL_SERVICE)
    await emailOutletOf(env, host).send(testEmail(host, to, Date.now() / 1_000))
    return way
  } catch (error) {
    throw new BadRequestError(error instanceof Error ? error.message : 'Unknown error')
  }
}

/** Milliseconds of one question to a provider. */
const PATIENCE_MS = 5_000
const MAX_ANSWER_BYTES = 100_000

type Settings = Pick<Environment, 'WEBHOOK_ALLOWED_HOSTS'>

/** A provider's description of itself, in which nothing can be trusted to have its type. */
type Metadata = Readonly<Record<string, unknown>>

/** Thrown with the sentence that an owner reads. */
class ProviderProblem extends Error {}

/**
 * Asks a provider what a log-in would ask: who it is, where its parts are, and whether it knows this client and its secret. Returns what is
 * wrong, in a sentence for owners; null when nothing is.
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

/** A list that the description lacks says nothing. */
function requireOffered(metadata: Metadata, name: string, value: string, words: string): void {
  const offered = metadata[name]
  if (!Array.isArray(offered) || offered.includes(value)) return
  throw new ProviderProblem(`The provider does not offer ${words}, which a log-in here needs.`)
}

/** Redeems a code that there is not: a provider refuses the client before it looks at the code. */
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

/** GitHub describes itself nowhere, but says whether it knows a client. Source: GitHub's documentation, “Check a token”. */
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
  // A known client gets the answer that there is no such token.
  if (response.status === 404 || response.status === 422) return
  if (response.status === 401)
    throw new ProviderProblem('GitHub does not know this client ID with this secret.')
  throw new ProviderProblem(`${address} answers with status ${response.status}. Try again later.`)
}

/** OAuth encodes both parts as in a form (RFC 6749, 2.3.1). */
function encoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}

/** @throws ProviderProblem where there is no answer. */
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
  try {
    const value = parseJson(new TextDecoder().decode(body))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Metadata)
      : undefined
  } catch {
    return undefined
  }
}
