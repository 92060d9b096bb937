import type { AuthTexts } from '../../../texts/compiled/auth.ts'
import { ApiError, type WireError } from '../../core/errors.ts'
import type { Environment } from '../request/environment.ts'
import { retryLater } from '../request/respond.ts'
import { Html, html, respondPage } from './html.ts'
import { type Refused, refusalIn, textsOfRequest } from './texts-of-request.ts'

/** Answers with a login page, in the language of these texts. */
export function respondAuthPage(texts: AuthTexts, title: string, body: Html, status = 200): Response {
  return respondPage(title, body, status, { language: texts.language })
}

/** Answers with a page that only states the reason of a refusal, and where to go from there. */
export function respondRefusal(
  texts: AuthTexts,
  title: string,
  { msg, status, extra }: Pick<WireError, 'msg' | 'status'> & Partial<WireError>,
  onward: Html = html``,
): Response {
  const sentence = refusalIn(texts, { message: msg, status, extra: extra ?? {} })
  return respondAuthPage(texts, title, html`<p>${sentence}</p>${onward}`, status)
}

/** Answers with a page that states why a mailed or shared link leads nowhere. */
export function respondDeadLink(texts: AuthTexts, title: string, error: WireError): Response {
  return respondRefusal(texts, title, error, toLogIn(texts))
}

/** Answers with a page. A refusal becomes a page with this title. */
export async function onPage(
  request: Request,
  title: string,
  respond: () => Promise<Response>,
): Promise<Response> {
  try {
    return await respond()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return retryLater(respondRefusal(textsOfRequest(request), title, error.toWire()), error)
  }
}

/** Says that a mail is on its way. The local server keeps mail instead of sending it, and says where. */
export function mailSent({ keptMail }: AuthTexts, env: Environment, said: string): Html {
  const isKept = env.DEVELOPMENT && !env.SMTP_URL && !env.EMAIL_API_URL
  return html`<p role="status">${said}</p>
${isKept ? html`<p class="auth-on"><a class="button button-main" href="/dev/emails">${keptMail}</a></p>` : ''}`
}

/** Returns the error line above a form. */
export function refusalLine(texts: AuthTexts, refusal: Refused | undefined): Html {
  return refusal === undefined
    ? html``
    : html`<p class="refusal" role="alert">${refusalIn(texts, refusal)}</p>`
}

/** Returns a field of a form. `attributes` of its input never contain user data. */
export function field(
  { label, name, value = '' }: { label: string; name: string; value?: string },
  attributes: string,
): Html {
  return html`<label class="labelled"><span>${label}</span>
<input class="field" name="${name}" value="${value}" ${new Html(attributes)}></label>`
}

/** Returns a select field whose options show names. */
export function choice(
  { label, name, value }: { label: string; name: string; value: string },
  choices: Readonly<Record<string, string>>,
): Html {
  const options = Object.entries(choices).map(
    ([each, text]) =>
      html`<option value="${each}" ${new Html(each === value ? 'selected' : '')}>${text}</option>`,
  )
  return html`<label class="labelled"><span>${label}</span>
<select class="field" name="${name}">${options}</select></label>`
}

export function newPasswordField({ newPassword }: AuthTexts): Html {
  const attributes = 'type="password" required minlength="6" autocomplete="new-password"'
  return field({ label: newPassword, name: 'password' }, attributes)
}

/** Returns a form posted to the page's own address, or to another one. */
export function form(fields: Html, button: string, action?: string): Html {
  return html`<form method="post"${action === undefined ? '' : html` action="${action}"`}>
${fields}
<button class="button button-main">${button}</button>
</form>`
}

/** Returns the link to the login page, shown after a completed action. */
export function toLogIn({ toLogIn: text }: AuthTexts): Html {
  return html`<p class="auth-on"><a class="button button-main" href="/">${text}</a></p>`
}

/** Where people find the organizations of this deployment that they belong to. */
export const FIND_PATH = '/find'

/** Returns the link with which people who are at the wrong organization, or at none, find theirs. */
export function toFind({ find }: AuthTexts): Html {
  return html`<a href="${FIND_PATH}">${find.title}</a>`
}
