import { ApiError, CsrfError } from '../core/errors.ts'
import { endBrowserSessionStep } from '../endpoints/browser-sessions/end-browser-session.ts'
import { askRealm, readForm } from './ask-realm.ts'
import { endedCookies, requireOwnPage, sessionOf } from './browser-session.ts'
import type { Environment } from './environment.ts'
import { html, respondPage } from './html.ts'
import { LOGIN_PATH, redirectWith } from './login-page.ts'
import type { PageRequest } from './page-request.ts'

export const LOGOUT_PATH = '/accounts/logout'

/** POST /accounts/logout/: ends the browser's session. Source: spectators 6. */
export async function logOut(request: PageRequest, env: Environment): Promise<Response> {
  const { csrfmiddlewaretoken } = await readForm(request, ['csrfmiddlewaretoken'])
  const session = await sessionOf(request)
  if (session) {
    try {
      await requireOwnPage(request, session, csrfmiddlewaretoken)
    } catch (error) {
      if (!(error instanceof CsrfError)) throw error
      return respondPage('Log out', html`<p>${error.message}</p>`, error.status)
    }
    const ended = await askRealm(request, env, endBrowserSessionStep.operation, { digest: session.digest })
    if (!ended.ok) {
      const error = ApiError.fromWire(ended.error)
      return respondPage('Log out', html`<p>${error.message}</p>`, error.status)
    }
  }
  return redirectWith(`${LOGIN_PATH}/`, endedCookies(new URL(request.url)))
}
