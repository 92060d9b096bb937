import { REACTIVATION_PATH } from '../../domain/realm/deactivate-realm.ts'
import { respondDoor } from './door-page.ts'
import { textsOfRequest } from './door-texts/texts-of-request.ts'
import { html } from './html.ts'
import { LOGIN_PATH } from './login-page.ts'

/**
 * GET /accounts/deactivated/: the page for clients of an organization that was closed. Source:
 * docs/interface/browsers.md#routes.
 */
export function showDeactivatedPage(request: Request): Response {
  const texts = textsOfRequest(request)
  const { deactivated, reactivation, logIn } = texts
  return respondDoor(
    texts,
    deactivated.title,
    html`<p>${deactivated.about}</p>
<p class="door-links"><a href="${REACTIVATION_PATH}/">${reactivation.button}</a> <a href="${LOGIN_PATH}/">${logIn.button}</a></p>`,
  )
}
