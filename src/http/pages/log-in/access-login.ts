import type { AuthTexts } from '../../../../texts/compiled/auth.ts'
import { ApiError, RateLimitHitError, UnauthorizedError } from '../../../core/errors.ts'
import { hostsIn } from '../../../core/outgoing-target.ts'
import {
  logInThroughAccessStep,
  noteFailedAccessStep,
} from '../../../features/users/log-in-through-access.ts'
import { logInByOwnerLinkStep } from '../../../features/users/login-steps.ts'
import { isOrganizationTicket, useOrganizationTicket } from '../../../store/d1/realms.ts'
import type { FinishedLogin } from '../../../store/users/login/login-ticket-rows.ts'
import { form, respondAuthPage, respondRefusal } from '../../html/auth-page.ts'
import { html } from '../../html/html.ts'
import { textsOfRequest } from '../../html/texts-of-request.ts'
import { askOrRefuse, askRealm } from '../../operations/ask-realm.ts'
import { ProviderError, providerCalls } from '../../providers/provider-calls.ts'
import { verifySigned } from '../../providers/signing-keys.ts'
import { isOpened, requireOwnOrigin } from '../../request/browser-session.ts'
import { type AccessSettings, accessSettings, type Environment } from '../../request/environment.ts'
import { type PageRequest, realmHost } from '../../request/request-url.ts'
import { sha256Hex } from '../../request/sha256.ts'
import { refuseDestination, respondTooMany } from './login-answers.ts'
import { beginLogin, countingFailures, destinationOf } from './login-end.ts'
import { respondFinished } from './respond-finished.ts'

/** The header in which Cloudflare Access identifies the user it let through. */
const HEADER = 'cf-access-jwt-assertion'
/** Limit of a token, in characters: those of users with very many groups have some thousands. */
const MAX_TOKEN_LENGTH = 16_000
const [NOT_FOUND, UNAUTHORIZED, FORBIDDEN, UNAVAILABLE] = [404, 401, 403, 503]

/**
 * GET /accounts/login/sso/: logs in the user that Cloudflare Access let through, at once. The destination is in the address, since apps
 * and the login page link here. Source: docs/login.md#cloudflare-access.
 */
export async function logInThroughAccess(request: Request, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  const { access } = texts
  const refuse = (msg: string, status: number) =>
    respondAuthPage(texts, texts.logIn.title, html`<p class="refusal" role="alert">${msg}</p>`, status)
  // Loaded as a picture or frame by another site's page, it has no effect and logs no browser in.
  const destination = isOpened(request) ? destinationOf(new URL(request.url)) : undefined
  if (!destination) return refuseDestination(request)
  const settings = accessSettings(env)
  if (!settings) return refuse(access.absent, NOT_FOUND)
  const token = request.headers.get(HEADER) ?? ''
  try {
    const { email, at } = await countingFailures('access', request, env, async () => {
      if (token === '' || token.length > MAX_TOKEN_LENGTH) throw new UnauthorizedError(access.notThrough)
      return personIn(token, settings, env)
    })
    if (email === undefined) return refuse(access.nobody, FORBIDDEN)
    const underWay = await beginLogin(destination)
    const params = { email, let_through_at: at, end: underWay.end }
    const asked = await askRealm(request, env, logInThroughAccessStep.operation, params, { counted: true })
    if (asked.ok) return await respondFinished(request, env, underWay, asked.value as FinishedLogin)
    if (asked.error.status === NOT_FOUND) return refuse(access.absent, NOT_FOUND)
    if (asked.error.status === FORBIDDEN) return refuse(access.noAccount(email), FORBIDDEN)
    return respondRefusal(texts, texts.logIn.title, asked.error)
  } catch (error) {
    if (error instanceof RateLimitHitError) return respondTooMany(request, error)
    if (error instanceof ApiError) return respondRefusal(texts, texts.logIn.title, error.toWire())
    if (!(error instanceof ProviderError)) throw error
    const problem = `${error.problem}: ${error.detail}`
    await askRealm(request, env, noteFailedAccessStep.operation, { problem })
    return error.problem === 'unreachable'
      ? refuse(access.unreachable, UNAVAILABLE)
      : refuse(access.notThrough, UNAUTHORIZED)
  }
}

/**
 * Returns the address in a token (undefined for a service, which has none), and when Cloudflare Access let the user through (UNIX seconds).
 * @throws ProviderError if the token has expired, is not for this team and application, or the team's keys are unavailable
 */
async function personIn(
  token: string,
  { issuer, audience }: AccessSettings,
  env: Environment,
): Promise<{ readonly email: string | undefined; readonly at: number | null }> {
  const calls = providerCalls(hostsIn(env.WEBHOOK_ALLOWED_HOSTS))
  const checks = { issuer, audience, requiredClaims: ['exp'] }
  const { email, iat } = await verifySigned(
    token,
    { keysAt: `${issuer}/cdn-cgi/access/certs`, bringer: 'anybody' },
    checks,
    calls,
  )
  return {
    email: typeof email === 'string' && email !== '' ? email : undefined,
    at: typeof iat === 'number' && Number.isSafeInteger(iat) ? iat : null,
  }
}

/** The path of an owner link, followed by its ticket; the address is in the query. */
export const OWNER_LINK_PATH = '/accounts/owner-link'

/** GET /accounts/owner-link/{ticket}?email=…: the page of `npm run owner-link`. It uses nothing up, since scanners follow links. */
export async function showOwnerLink(request: PageRequest, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  if (!(await isOrganizationTicket(env.DB, await ticketOf(request), Date.now() / 1_000)))
    return refuseLink(texts)
  return respondAuthPage(
    texts,
    texts.logIn.title,
    html`<p class="auth-about">${texts.ownerLink.about(emailOf(request))}</p>${form(html``, texts.logIn.button)}`,
  )
}

/** POST of the same address: uses up the ticket, and logs the owner in. */
export async function logInByLink(request: PageRequest, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  try {
    requireOwnOrigin(request)
    if (!(await useOrganizationTicket(env.DB, await ticketOf(request), Date.now() / 1_000))) {
      return refuseLink(texts)
    }
    const underWay = await beginLogin({ kind: 'session', next: '/' })
    const params = { email: emailOf(request), end: underWay.end }
    const finished = await askOrRefuse<FinishedLogin>(request, env, logInByOwnerLinkStep.operation, params)
    return await respondFinished(request, env, underWay, finished)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return respondRefusal(texts, texts.logIn.title, error.toWire())
  }
}

/** The digest covers the purpose and the address: a ticket of another kind opens no account, and this ticket no other account. */
async function ticketOf(request: PageRequest) {
  const text = `owner link\n${emailOf(request)}\n${request.params.ticket ?? ''}`
  return { digest: await sha256Hex(text), host: realmHost(new URL(request.url)) }
}

function emailOf({ url }: PageRequest): string {
  return new URL(url).searchParams.get('email') ?? ''
}

function refuseLink(texts: AuthTexts): Response {
  return respondAuthPage(texts, texts.logIn.title, html`<p>${texts.ownerLink.used}</p>`, 404)
}
