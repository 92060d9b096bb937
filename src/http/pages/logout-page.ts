import { ApiError, CsrfError } from '../../core/errors.ts'
import { endBrowserSessionStep } from '../../endpoints/browser-sessions/end-browser-session.ts'
import { askRealm, readForm } from '../ask-realm.ts'
import { endedCookies, requireOwnPage, sessionOf } from '../browser-session.ts'
import type { Environment } from '../environment.ts'
import { respondRefusal } from './door-page.ts'
import { textsOfRequest } from './door-texts/texts-of-request.ts'
import { LOGIN_PATH, redirectWith } from './login-page.ts'
import type { PageRequest } from './page-request.ts'

export const LOGOUT_PATH = '/accounts/logout'

/** POST /accounts/logout/: ends the browser's session. Source: docs/interface/browsers.md#sessions. */
export async function logOut(request: PageRequest, env: Environment): Promise<Response> {
  const { csrfmiddlewaretoken } = await readForm(request, ['csrfmiddlewaretoken'])
  const session = await sessionOf(request)
  if (session) {
    try {
      await requireOwnPage(request, session, csrfmiddlewaretoken)
    } catch (error) {
      if (!(error instanceof CsrfError)) throw error
      return refuse(request, error)
    }
    const ended = await askRealm(request, env, endBrowserSessionStep.operation, { digest: session.digest })
    if (!ended.ok) {
      const error = ApiError.fromWire(ended.error)
      return refuse(request, error)
    }
  }
  return redirectWith(`${LOGIN_PATH}/`, endedCookies(new URL(request.url)))
}

function refuse(request: PageRequest, { message, status }: ApiError): Response {
  const texts = textsOfRequest(request)
  return respondRefusal(texts, texts.logOut.title, { msg: message, status })
}
