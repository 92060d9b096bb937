import type { AuthTexts } from '../../../../texts/compiled/auth.ts'
import { ApiError } from '../../../core/errors.ts'
import { noteOfRequest } from '../../../core/request-record.ts'
import { fetchApiKeyEndpoint } from '../../../features/users/api-keys.ts'
import { completeLoginStep, noteFailedLoginStep } from '../../../features/users/login-steps.ts'
import { type PasswordCheck, wrongPassword } from '../../../model/accounts/login/fetch-api-key.ts'
import type { FinishedLogin, LoginEnd } from '../../../store/users/login/login-ticket-rows.ts'
import { PUBLIC_ROOT } from '../../html/addresses-of-public-pages.ts'
import { field, form, refusalLine, toFind } from '../../html/auth-page.ts'
import { type Html, html, respondPage } from '../../html/html.ts'
import { textsOfRequest } from '../../html/texts-of-request.ts'
import { askOrRefuse, askRealm, hasherFor, readForm } from '../../operations/ask-realm.ts'
import { requireOwnOrigin } from '../../request/browser-session.ts'
import type { Environment } from '../../request/environment.ts'
import { retryLater } from '../../request/respond.ts'
import { newMemberIn } from './connect-after-login.ts'
import { asksForJson, FORMS_LEAD_TO, refuseAsJson, refuseDestination } from './login-answers.ts'
import { beginLogin, type Destination, destinationOf, ownPath, queryFor } from './login-end.ts'
import { askLoginMethods, linksTo, PASSKEY_SCRIPT, passkeyForm } from './other-ways.ts'
import { respondFinished } from './respond-finished.ts'

/** The login page, at the address that clients know from `login_page`. */
export const SHORT_LOGIN_PATH = '/login'
export const PASSWORD_RESET_PATH = '/accounts/password/reset'

/**
 * GET /accounts/login/?mobile_flow_otp=…: the page to which an app sends a browser to log in for the app. Without a pad, the browser
 * itself logs in. Source: docs/interface/login.md#in-a-browser-for-an-app.
 */
export async function showLoginPage(request: Request, env: Environment): Promise<Response> {
  const destination = destinationOf(new URL(request.url))
  if (!destination) return refuseDestination(request)
  return respondLogin(request, env, destination)
}

/**
 * POST of the same address: makes the checks of POST /fetch_api_key, with the same limit, then returns to the app, or into the browser.
 * An error shows the form again, with 200 for a wrong password in the browser itself (docs/interface/browsers.md#routes). A request for
 * JSON is answered as by the API.
 */
export async function logIn(request: Request, env: Environment): Promise<Response> {
  noteOfRequest({ operation: 'log-in' })
  const url = new URL(request.url)
  const destination = destinationOf(url)
  if (!destination) return refuseDestination(request)
  const entered = await readForm(request, ['username', 'email', 'password', 'next'])
  const username = entered.username === '' ? entered.email : entered.username
  const isHere = destination.kind === 'session'
  try {
    if (isHere) requireOwnOrigin(request)
    const next = isHere && entered.next !== '' ? { next: ownPath(entered.next, url.origin) } : {}
    return await logInWithPassword(request, env, { ...destination, ...next }, username, entered.password)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (isHere && asksForJson(request)) return refuseAsJson(request, error)
    const status = isHere && error.status === 401 ? 200 : error.status
    return retryLater(
      await respondLogin(request, env, destination, { email: username, refusal: error }, status),
      error,
    )
  }
}

/** Logs in with a password, and answers as the destination requires. @throws ApiError as POST /fetch_api_key */
export async function logInWithPassword(
  request: Request,
  env: Environment,
  destination: Destination,
  username: string,
  password: string,
): Promise<Response> {
  const underWay = await beginLogin(destination)
  const finished = await checkLogin(request, env, { username, password }, underWay.end)
  return respondFinished(request, env, underWay, finished)
}

/** @throws ApiError as POST /fetch_api_key. */
async function checkLogin(
  request: Request,
  env: Environment,
  { username, password }: { readonly username: string; readonly password: string },
  end: LoginEnd,
): Promise<FinishedLogin> {
  const place = await (await hasherFor(request, env)).reserve()
  try {
    const check = await askOrRefuse<PasswordCheck>(request, env, fetchApiKeyEndpoint.operation, { username })
    if (!(await place.verify(password, check.hash))) {
      await askRealm(request, env, noteFailedLoginStep.operation, { userId: check.userId }, { counted: true })
      throw wrongPassword()
    }
    return await askOrRefuse(request, env, completeLoginStep.operation, { ...check, end }, { counted: true })
  } finally {
    place.leave()
  }
}

interface ShownLogin {
  readonly email?: string | undefined
  readonly refusal?: ApiError
}

/** Answers with the ways to log in: a password form, and links to others. */
async function respondLogin(
  request: Request,
  env: Environment,
  destination: Destination,
  shown: ShownLogin = {},
  status = 200,
): Promise<Response> {
  const texts = textsOfRequest(request)
  const { others, hasPassword, isOpenToTheWeb } = await askLoginMethods(request, env)
  // An app has come to log in.
  const readsHere = isOpenToTheWeb && destination.kind === 'session'
  const newMember = await newMemberIn(request, env, destination)
  const asked = newMember
    ? html`<p class="auth-about" role="status">${texts.provider.troubles.not_connected({ name: newMember.name, email: newMember.email })}</p>`
    : ''
  const body = html`${asked}${refusalLine(texts, shown.refusal)}
${
  hasPassword
    ? html`${loginForm(texts, { email: newMember?.email, ...shown })}
${passkeyForm(texts, destination)}`
    : ''
}
${linksTo(others, texts.logIn.with, queryFor(destination))}
<p class="auth-links">${hasPassword ? html`<a href="${PASSWORD_RESET_PATH}/">${texts.logIn.forgotten}</a>` : ''}${readsHere ? html` <a href="${PUBLIC_ROOT}">${texts.logIn.readPublic}</a>` : ''} ${toFind(texts)}</p>`
  return respondPage(texts.logIn.title, body, status, {
    language: texts.language,
    formsLeadTo: FORMS_LEAD_TO,
    ...(hasPassword ? { script: PASSKEY_SCRIPT } : {}),
  })
}

/** Returns the login form. It is posted to its own address, which keeps the pad. */
function loginForm(texts: AuthTexts, { email }: ShownLogin): Html {
  const name = { label: texts.email, name: 'email', value: email }
  const password = { label: texts.password, name: 'password' }
  const [ofName, ofPassword] = email ? ['', 'autofocus'] : ['autofocus', '']
  const fields = html`${field(name, `type="email" required autocomplete="username" ${ofName}`)}
${field(password, `type="password" required autocomplete="current-password" ${ofPassword}`)}`
  return form(fields, texts.logIn.button)
}
