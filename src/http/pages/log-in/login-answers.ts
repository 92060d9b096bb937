import type { AuthTexts } from '../../../../texts/compiled/auth.ts'
import { ApiError, type RateLimitHitError } from '../../../core/errors.ts'
import { refusalLine, respondRefusal } from '../../html/auth-page.ts'
import { type Html, html, respondPage } from '../../html/html.ts'
import { refusalIn, textsOfRequest } from '../../html/texts-of-request.ts'
import { respondError, respondSuccess, retryLater } from '../../request/respond.ts'
import { LOGIN_PATH } from './login-end.ts'

/** Browsers follow a form's redirect only to sources that the page allows: here, also back to the app. */
export const FORMS_LEAD_TO = "'self' zulip:"

/** Whether the page logs in by script, without navigating: then the answer is that of the API. */
export function asksForJson({ headers }: Request): boolean {
  return headers.get('accept') === 'application/json'
}

/** Answers a page that logs in by script: as the API does, with a sentence for the user in addition to its message for programs. */
export function refuseAsJson(request: Request, error: ApiError): Response {
  const { code, message, extra, status } = error
  const sentence = refusalIn(textsOfRequest(request), error)
  return respondError(new ApiError(code, message, { ...extra, sentence }, status))
}

export async function successWith(cookies: readonly string[], fields: object = {}): Promise<Response> {
  const response = await respondSuccess(fields)
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

export function redirectWith(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ Location: location, 'Cache-Control': 'no-store' })
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  return new Response(null, { status: 302, headers })
}

/** Redirects to the login page, which leads back here. */
export function leadToLogin({ pathname, search }: URL): Response {
  return redirectWith(`${LOGIN_PATH}/?${new URLSearchParams({ next: pathname + search })}`, [])
}

/** Answers an app login whose pad or key is malformed. */
export function refuseDestination(request: Request): Response {
  const { language, logIn } = textsOfRequest(request)
  return respondPage(logIn.title, html`<p>${logIn.incomplete}</p>`, 400, { language })
}

/** Answers when one network has failed too often at a way to log in. */
export function respondTooMany(request: Request, error: RateLimitHitError): Response {
  const texts = textsOfRequest(request)
  return retryLater(respondRefusal(texts, texts.logIn.title, error.toWire()), error)
}

/** Answers a login that has to start over, with the reason. `query`: of the address where it starts. */
export function respondLoginRefused(request: Request, error: ApiError, query: string): Response {
  const texts = textsOfRequest(request)
  const body = html`${refusalLine(texts, error)}
<p class="auth-links"><a href="/accounts/login/${query}">${texts.secondFactor.again}</a></p>`
  return respondPage(texts.logIn.title, body, error.status, { language: texts.language })
}

/** Shows the recovery codes, this once, to a user who has just set up a second factor, with a link onwards. */
export function showRecoveryCodes(
  request: Request,
  codes: readonly string[],
  onward: string,
  cookies: readonly string[] = [],
): Response {
  const texts = textsOfRequest(request)
  const { language, secondFactor } = texts
  const body = html`${listOfCodes(texts, codes)}
<p class="auth-on"><a class="button button-main" href="${onward}">${secondFactor.onward}</a></p>`
  const page = respondPage(secondFactor.codesTitle, body, 200, { language })
  for (const cookie of cookies) page.headers.append('Set-Cookie', cookie)
  return page
}

/** Returns new recovery codes with their explanation; nothing if there are none. */
export function listOfCodes({ secondFactor }: AuthTexts, codes: readonly string[]): Html {
  if (codes.length === 0) return html``
  return html`<p>${secondFactor.codesAbout}</p>
<pre>${codes.join('\n')}</pre>`
}
