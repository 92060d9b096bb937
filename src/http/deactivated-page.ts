import { REACTIVATION_PATH } from '../domain/realm/deactivate-realm.ts'
import { html, respondPage } from './html.ts'
import { LOGIN_PATH } from './login-page.ts'

/** GET /accounts/deactivated/: where a client goes when it is told that the organization was closed. Source: browser-client, Routes. */
export function showDeactivatedPage(): Response {
  return respondPage(
    'This organization has been closed',
    html`<p>If it was closed, nobody can log in to it until one of its owners opens it again.</p>
<p><a href="${REACTIVATION_PATH}/">Open it again</a> · <a href="${LOGIN_PATH}/">Log in</a></p>`,
  )
}
