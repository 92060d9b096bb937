import { ApiError } from '../core/errors.ts'
import type { ShownReactivation } from '../domain/realm/reactivate-realm.ts'
import {
  askReactivationStep,
  reactivateRealmStep,
  showReactivationStep,
} from '../endpoints/realm/reactivate-realm.ts'
import { askRealm, readForm } from './ask-realm.ts'
import type { Environment } from './environment.ts'
import { type Html, html, respondPage } from './html.ts'
import type { PageRequest } from './page-request.ts'
import { retryLater } from './respond.ts'

const TITLE = 'Open this organization again'

/** GET /accounts/reactivate: where an owner of a closed organization asks for a link. */
export function showReactivationForm(): Response {
  return respondPage(TITLE, addressForm({}))
}

/** POST of the same. The answer is one whether the address is an owner's or not. */
export async function askForReactivation(request: PageRequest, env: Environment): Promise<Response> {
  const { email } = await readForm(request, ['email'])
  const asked = await askRealm(request, env, askReactivationStep.operation, { email })
  if (!asked.ok) {
    const error = ApiError.fromWire(asked.error)
    const refusal = error.status === 429 ? 'Too many requests. Try again later.' : error.message
    return retryLater(respondPage(TITLE, addressForm({ email, refusal }), error.status), error)
  }
  return respondPage(
    TITLE,
    html`<p>If an owner of this organization has the address ${email}, a mail with a link is on its way to it.</p>`,
  )
}

/** GET /accounts/reactivate/{secret}: what the link opens. It changes nothing yet: programs look at mail too. */
export async function showReactivationLink(request: PageRequest, env: Environment): Promise<Response> {
  const shown = await askRealm(request, env, showReactivationStep.operation, linkOf(request))
  if (!shown.ok) return respondPage(TITLE, html`<p>${shown.error.msg}</p>`, shown.error.status)
  const { organization } = shown.value as ShownReactivation
  return respondPage(
    TITLE,
    html`<p><strong>${organization}</strong> is closed. Everybody who had an account can log in again when it is open,
and nothing of it is deleted.</p>
<form method="post"><button>Open it again</button></form>`,
  )
}

/** POST of the same: opens the organization. */
export async function reactivate(request: PageRequest, env: Environment): Promise<Response> {
  const opened = await askRealm(request, env, reactivateRealmStep.operation, linkOf(request))
  if (!opened.ok) return respondPage(TITLE, html`<p>${opened.error.msg}</p>`, opened.error.status)
  const { organization } = opened.value as ShownReactivation
  return respondPage(TITLE, html`<p><strong>${organization}</strong> is open again.</p>`)
}

function linkOf({ params }: PageRequest): { readonly secret: string } {
  return { secret: params.secret! }
}

function addressForm({ email = '', refusal }: { email?: string; refusal?: string }): Html {
  return html`<p>If this organization has been closed, its owners can open it again until its data is deleted. Which
address does your account have? A link will be sent to it.</p>
${refusal === undefined ? html`` : html`<p class="error" role="alert">${refusal}</p>`}
<form method="post">
  <label for="email">E-mail address</label>
  <input id="email" name="email" type="email" required autocomplete="username" value="${email}">
  <button>Send the link</button>
</form>`
}
