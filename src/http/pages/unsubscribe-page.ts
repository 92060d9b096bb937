import {
  type ShownUnsubscription,
  showUnsubscriptionStep,
  unsubscribeStep,
} from '../../features/emails/unsubscribe.ts'
import { form, respondRefusal } from '../html/auth-page.ts'
import { type Html, html, respondPage } from '../html/html.ts'
import { textsOfRequest } from '../html/texts-of-request.ts'
import { askRealm, type PageOutcome } from '../operations/ask-realm.ts'
import type { Environment } from '../request/environment.ts'
import type { PageRequest } from '../request/request-url.ts'

/** GET /accounts/unsubscribe/{kind}/{token}: the page behind a mailed link. It changes nothing yet, since scanners follow links. */
export async function showUnsubscribePage(request: PageRequest, env: Environment): Promise<Response> {
  const { kind, token } = request.params
  const shown = await askRealm(request, env, showUnsubscriptionStep.operation, { kind, token })
  return respondAboutMail(request, shown, ({ text, button }) => html`<p>${text}</p>${form(html``, button)}`)
}

/** POST of the same address: by the page's button, or by that of a mail program (RFC 8058). */
export async function unsubscribeByPage(request: PageRequest, env: Environment): Promise<Response> {
  const { kind, token } = request.params
  const done = await askRealm(request, env, unsubscribeStep.operation, { kind, token })
  return respondAboutMail(
    request,
    done,
    ({ text, open }) => html`<p role="status">${text}</p>
<p class="auth-links"><a href="/">${open}</a></p>`,
  )
}

function respondAboutMail(
  request: Request,
  outcome: PageOutcome,
  bodyOf: (shown: ShownUnsubscription) => Html,
): Response {
  if (!outcome.ok) {
    const texts = textsOfRequest(request)
    const { error } = outcome
    const isBroken = error.status === 400
    return respondRefusal(texts, texts.mail.title, isBroken ? { ...error, msg: texts.mail.broken } : error)
  }
  const shown = outcome.value as ShownUnsubscription
  return respondPage(shown.title, bodyOf(shown), 200, { language: shown.language })
}
