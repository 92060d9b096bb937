import { ApiError } from '../core/errors.ts'
import { type CompletedLogin, type PasswordCheck, wrongPassword } from '../domain/users/fetch-api-key.ts'
import {
  completeLoginStep,
  fetchApiKeyEndpoint,
  noteFailedLoginStep,
} from '../endpoints/users/fetch-api-key.ts'
import { verifyPassword } from '../endpoints/users/password-hash.ts'
import { askRealm, readForm } from './ask-realm.ts'
import type { Environment } from './environment.ts'
import { type Html, html, respondPage } from './html.ts'
import { encryptWithPad, isOneTimePad } from './one-time-pad.ts'
import { retryLater } from './respond.ts'

export const LOGIN_PATH = '/accounts/login'
export const PASSWORD_RESET_PATH = '/accounts/password/reset'

/** Browsers follow the redirect that answers a form only where the page says that it may lead. */
const FORMS_LEAD_TO = "'self' zulip:"

/**
 * GET /accounts/login/?mobile_flow_otp=…: where an app sends a browser that is to log in for it. Source:
 * core-endpoints 21. Without a pad there is nothing to log in to.
 */
export function showLoginPage(request: Request): Response {
  const pad = padOf(request)
  if (pad === null) return Response.redirect(new URL('/', request.url).href, 302)
  if (!isOneTimePad(pad)) return refusePad()
  return respondPage('Log in', loginForm({}), 200, FORMS_LEAD_TO)
}

/** POST of the same: the same checks and the same limit as POST /fetch_api_key, and then back to the app. */
export async function logIn(request: Request, env: Environment): Promise<Response> {
  const pad = padOf(request)
  if (pad === null || !isOneTimePad(pad)) return refusePad()
  const { email, password } = await readForm(request, ['email', 'password'])
  try {
    const login = await checkLogin(request, env, email, password)
    return new Response(null, {
      status: 302,
      headers: {
        Location: appAddress(new URL(request.url).origin, login, pad),
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
      },
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const form = loginForm({ email, refusal: error.message })
    return retryLater(respondPage('Log in', form, error.status, FORMS_LEAD_TO), error)
  }
}

function padOf(request: Request): string | null {
  return new URL(request.url).searchParams.get('mobile_flow_otp')
}

function refusePad(): Response {
  return respondPage('Log in', html`<p>This link is not complete. Start again from the app.</p>`, 400)
}

/** @throws ApiError as POST /fetch_api_key. */
async function checkLogin(
  request: Request,
  env: Environment,
  email: string,
  password: string,
): Promise<CompletedLogin> {
  const counted = await askRealm(request, env, fetchApiKeyEndpoint.operation, { username: email })
  if (!counted.ok) throw ApiError.fromWire(counted.error)
  const check = counted.value as PasswordCheck
  if (!(await verifyPassword(password, check.hash))) {
    await askRealm(request, env, noteFailedLoginStep.operation, { userId: check.userId }, { counted: true })
    throw wrongPassword()
  }
  const params = { username: email, ...check }
  const login = await askRealm(request, env, completeLoginStep.operation, params, { counted: true })
  if (!login.ok) throw ApiError.fromWire(login.error)
  return login.value as CompletedLogin
}

/** What opens the app again. Apps know the scheme by this name. */
function appAddress(origin: string, { api_key, email, user_id }: CompletedLogin, pad: string): string {
  const answer = new URLSearchParams({
    realm: origin,
    email,
    user_id: String(user_id),
    otp_encrypted_api_key: encryptWithPad(api_key, pad),
  })
  return `zulip://login?${answer}`
}

/** It is posted to where it came from: the pad stays in the address. */
function loginForm({ email = '', refusal }: { email?: string; refusal?: string }): Html {
  return html`${refusal === undefined ? html`` : html`<p class="error" role="alert">${refusal}</p>`}
<form method="post">
  <label for="email">E-mail address</label>
  <input id="email" name="email" type="email" required autocomplete="username" value="${email}">
  <label for="password">Password</label>
  <input id="password" name="password" type="password" required autocomplete="current-password">
  <button>Log in</button>
</form>
<p><a href="${PASSWORD_RESET_PATH}/">Forgot your password?</a></p>`
}
