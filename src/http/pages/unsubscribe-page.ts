import type { ShownUnsubscription } from '../../domain/emails/unsubscribe.ts'
import { showUnsubscriptionStep, unsubscribeStep } from '../../endpoints/emails/unsubscribe.ts'
import { askRealm, type PageOutcome } from '../ask-realm.ts'
import type { Environment } from '../environment.ts'
import { form } from './door-page.ts'
import { type Html, html, respondPage } from './html.ts'
import type { PageRequest } from './page-request.ts'

/**
 * GET /accounts/unsubscribe/{kind}/{token}: the page behind the link in a mail, without a login. It changes
 * nothing yet, since programs that scan mail follow links too.
 */
export async function showUnsubscribePage(request: PageRequest, env: Environment): Promise<Response> {
  const { kind, token } = request.params
  const shown = await askRealm(request, env, showUnsubscriptionStep.operation, { kind, token })
  return respond(shown, ({ text, button }) => html`<p>${text}</p>${form(html``, button)}`)
}

/** POST of the same address: by the button of the page, or by that of a mail program (RFC 8058). */
export async function unsubscribeByPage(request: PageRequest, env: Environment): Promise<Response> {
  const { kind, token } = request.params
  const done = await askRealm(request, env, unsubscribeStep.operation, { kind, token })
  return respond(
    done,
    ({ text, open }) => html`<p role="status">${text}</p>
<p class="door-links"><a href="/">${open}</a></p>`,
  )
}

function respond(outcome: PageOutcome, bodyOf: (shown: ShownUnsubscription) => Html): Response {
  if (!outcome.ok) {
    return respondPage('Mail', html`<p>${outcome.error.msg}</p>`, outcome.error.status)
  }
  const shown = outcome.value as ShownUnsubscription
  return respondPage(shown.title, bodyOf(shown), 200, { language: shown.language })
}
