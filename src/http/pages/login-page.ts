import { ApiError } from '../../core/errors.ts'
import { workGate } from '../../core/work-gate.ts'
import {
  type CompletedLogin,
  type PasswordCheck,
  wrongPassword,
} from '../../domain/users/login/fetch-api-key.ts'
import { beginBrowserSessionStep } from '../../endpoints/browser-sessions/begin-browser-session.ts'
import { getServerSettingsEndpoint } from '../../endpoints/server/get-server-settings.ts'
import {
  completeLoginStep,
  fetchApiKeyEndpoint,
  noteFailedLoginStep,
} from '../../endpoints/users/fetch-api-key.ts'
import { verifyPassword } from '../../endpoints/users/password-hash.ts'
import { askRealm, readForm } from '../ask-realm.ts'
import { cookiesOf, newSession, requireOwnOrigin } from '../browser-session.ts'
import { allowsWebPublic, type Environment, originAt } from '../environment.ts'
import { encryptWithPad, isOneTimePad } from '../one-time-pad.ts'
import { PUBLIC_ROOT } from '../public-pages/addresses.ts'
import { respondError, respondSuccess, retryLater } from '../respond.ts'
import { field, form, refusalLine } from './door-page.ts'
import type { DoorTexts } from './door-texts/english.ts'
import { textsOfRequest } from './door-texts/texts-of-request.ts'
import { type Html, html, respondPage } from './html.ts'

export const LOGIN_PATH = '/accounts/login'
/** The page under the address that clients know from `login_page`. */
export const SHORT_LOGIN_PATH = '/login'
export const PASSWORD_RESET_PATH = '/accounts/password/reset'

/** Browsers follow the redirect that answers a form only to sources that the page allows. */
const TO_THE_APP = "'self' zulip:"

/**
 * GET /accounts/login/?mobile_flow_otp=…: the page to which an app sends a browser to log in for the app.
 * Source: docs/interface/login.md#in-a-browser-for-an-app. Without a pad the browser itself logs in.
 */
export async function showLoginPage(request: Request, env: Environment): Promise<Response> {
  const pad = padOf(request)
  if (pad !== null && !isOneTimePad(pad)) return refusePad(request)
  // An app has come to log in.
  const isOpenToTheWeb = pad === null && (await isReadWithoutAccount(request, env))
  return respondLogin(request, { isOpenToTheWeb }, 200, TO_THE_APP)
}

/**
 * Whether the organization can be read without an account. It is not asked where the deployment does not
 * allow that.
 */
async function isReadWithoutAccount(request: Request, env: Environment): Promise<boolean> {
  if (!allowsWebPublic(env)) return false
  const asked = await askRealm(request, env, getServerSettingsEndpoint.operation, {})
  return (
    asked.ok &&
    (asked.value as { realm_web_public_access_enabled?: unknown }).realm_web_public_access_enabled === true
  )
}

/**
 * POST of the same address: makes the checks of POST /fetch_api_key, with the same limit; then returns to the
 * app, or into the browser.
 */
export async function logIn(request: Request, env: Environment): Promise<Response> {
  const pad = padOf(request)
  if (pad === null) return logInHere(request, env)
  if (!isOneTimePad(pad)) return refusePad(request)
  const { email, password } = await readForm(request, ['email', 'password'])
  try {
    const login = await checkLogin(request, env, email, password)
    return new Response(null, {
      status: 302,
      headers: {
        Location: appAddress(originAt(new URL(request.url), env), login, pad),
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
      },
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const again = respondLogin(request, { email, refusal: error.message }, error.status, TO_THE_APP)
    return retryLater(again, error)
  }
}

/**
 * Logs the browser itself in, with a session. An error shows the form again, 200
 * (docs/interface/browsers.md#routes); a request for JSON is answered as by the API.
 */
async function logInHere(request: Request, env: Environment): Promise<Response> {
  const url = new URL(request.url)
  const entered = await readForm(request, ['username', 'email', 'password', 'next'])
  const username = entered.username === '' ? entered.email : entered.username
  try {
    requireOwnOrigin(request)
    const cookies = await beginSession(request, env, username, entered.password)
    const next = entered.next === '' ? (url.searchParams.get('next') ?? '') : entered.next
    return asksForJson(request) ? successWith(cookies) : redirectWith(ownPath(next, url), cookies)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (asksForJson(request)) return retryLater(respondError(error), error)
    const shown = { email: username, refusal: error.message }
    return retryLater(respondLogin(request, shown, error.status === 401 ? 200 : error.status), error)
  }
}

/**
 * Begins a session for the browser that has sent this request, and returns its cookies.
 * @throws ApiError as POST /fetch_api_key.
 */
export async function beginSession(
  request: Request,
  env: Environment,
  username: string,
  password: string,
): Promise<string[]> {
  const login = await checkPassword(request, env, username, password)
  const session = await newSession()
  const started = await askRealm(
    request,
    env,
    beginBrowserSessionStep.operation,
    { ...login, digest: session.digest },
    { counted: true },
  )
  if (!started.ok) throw ApiError.fromWire(started.error)
  return cookiesOf(session, new URL(request.url))
}

/**
 * Returns a path of this organization, whatever was asked for: nobody is redirected to another site. Source:
 * docs/interface/browsers.md#sessions.
 */
function ownPath(next: string, { origin }: URL): string {
  const url = URL.canParse(next, origin) ? new URL(next, origin) : undefined
  if (!next.startsWith('/') || url?.origin !== origin) return '/'
  // What resolving leaves of `/..//host` is `//host`, which is another site.
  const path = `${url.pathname}${url.search}${url.hash}`
  return URL.canParse(path, origin) && new URL(path, origin).href === url.href ? path : '/'
}

/** Whether the page logs in by script, without leaving itself: it is answered as by the API. */
function asksForJson({ headers }: Request): boolean {
  return headers.get('accept') === 'application/json'
}

export async function successWith(cookies: readonly string[]): Promise<Response> {
  const response = await respondSuccess({})
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

export function redirectWith(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ Location: location, 'Cache-Control': 'no-store' })
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  return new Response(null, { status: 302, headers })
}

function padOf(request: Request): string | null {
  return new URL(request.url).searchParams.get('mobile_flow_otp')
}

function refusePad(request: Request): Response {
  const { language, logIn } = textsOfRequest(request)
  return respondPage(logIn.title, html`<p>${logIn.incomplete}</p>`, 400, { language })
}

/** @throws ApiError as POST /fetch_api_key. */
async function checkLogin(
  request: Request,
  env: Environment,
  email: string,
  password: string,
): Promise<CompletedLogin> {
  const params = await checkPassword(request, env, email, password)
  const login = await askRealm(request, env, completeLoginStep.operation, params, { counted: true })
  if (!login.ok) throw ApiError.fromWire(login.error)
  return login.value as CompletedLogin
}

/** Checks the password, the first half of a login, and returns the parameters of the second half. */
async function checkPassword(
  request: Request,
  env: Environment,
  email: string,
  password: string,
): Promise<PasswordCheck & { readonly username: string }> {
  const place = workGate.reserve()
  try {
    const counted = await askRealm(request, env, fetchApiKeyEndpoint.operation, { username: email })
    if (!counted.ok) throw ApiError.fromWire(counted.error)
    const check = counted.value as PasswordCheck
    if (!(await verifyPassword(password, check.hash, place))) {
      await askRealm(request, env, noteFailedLoginStep.operation, { userId: check.userId }, { counted: true })
      throw wrongPassword()
    }
    return { username: email, ...check }
  } finally {
    place.leave()
  }
}

/** Returns the address that opens the app again. Apps know the scheme by this name. */
function appAddress(origin: string, { api_key, email, user_id }: CompletedLogin, pad: string): string {
  const answer = new URLSearchParams({
    realm: origin,
    email,
    user_id: String(user_id),
    otp_encrypted_api_key: encryptWithPad(api_key, pad),
  })
  return `zulip://login?${answer}`
}

interface ShownLogin {
  readonly email?: string
  readonly refusal?: string
  /** Whether the page also links to the pages for readers without an account. */
  readonly isOpenToTheWeb?: boolean
}

function respondLogin(request: Request, shown: ShownLogin, status = 200, formsLeadTo?: string): Response {
  const texts = textsOfRequest(request)
  return respondPage(texts.logIn.title, loginForm(texts, shown), status, {
    language: texts.language,
    formsLeadTo,
  })
}

/** Returns the form of a login. It is posted to its own address, so that the pad stays in it. */
function loginForm(texts: DoorTexts, { email, refusal, isOpenToTheWeb }: ShownLogin): Html {
  const name = { label: texts.email, name: 'email', value: email }
  const password = { label: texts.password, name: 'password' }
  const fields = html`${field(name, 'type="email" required autocomplete="username"')}
${field(password, 'type="password" required autocomplete="current-password"')}`
  return html`${refusalLine(texts, refusal)}
${form(fields, texts.logIn.button)}
<p class="door-links"><a href="${PASSWORD_RESET_PATH}/">${texts.logIn.forgotten}</a>${isOpenToTheWeb ? html` <a href="${PUBLIC_ROOT}">${texts.logIn.readPublic}</a>` : ''}</p>`
}
