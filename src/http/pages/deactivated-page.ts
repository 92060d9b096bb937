import { REACTIVATION_PATH } from '../../features/realm/deactivation.ts'
import { respondAuthPage } from '../html/auth-page.ts'
import { html } from '../html/html.ts'
import { textsOfRequest } from '../html/texts-of-request.ts'
import { LOGIN_PATH } from './log-in/login-end.ts'

/** GET /accounts/deactivated/: the page to which clients of a deactivated organization go. Source: docs/interface/browsers.md#routes. */
export function showDeactivatedPage(request: Request): Response {
  const texts = textsOfRequest(request)
  const { deactivated, reactivation, logIn } = texts
  return respondAuthPage(
    texts,
    deactivated.title,
    html`<p>${deactivated.about}</p>
<p class="auth-links"><a href="${REACTIVATION_PATH}/">${reactivation.button}</a> <a href="${LOGIN_PATH}/">${logIn.button}</a></p>`,
  )
}
