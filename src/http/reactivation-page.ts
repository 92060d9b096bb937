import type { ShownReactivation } from '../domain/realm/reactivate-realm.ts'
import {
  askReactivationStep,
  reactivateRealmStep,
  showReactivationStep,
} from '../endpoints/realm/reactivate-realm.ts'
import { type AddressPage, showAddressPage, takeAddress } from './address-page.ts'
import { askRealm } from './ask-realm.ts'
import type { Environment } from './environment.ts'
import { html, respondPage } from './html.ts'
import type { PageRequest } from './page-request.ts'

const TITLE = 'Open this organization again'

const ASKING: AddressPage = {
  title: TITLE,
  question: html`<p>If this organization has been closed, its owners can open it again until its data is deleted. Which
address does your account have? A link will be sent to it.</p>`,
  answer: (email) =>
    html`<p>If an owner of this organization has the address ${email}, a mail with a link is on its way to it.</p>`,
  operation: askReactivationStep.operation,
}

/** GET /accounts/reactivate: where an owner of a closed organization asks for a link. */
export const showReactivationForm = () => showAddressPage(ASKING)

/** POST of the same. The answer is one whether the address is an owner's or not. */
export const askForReactivation = (request: PageRequest, env: Environment) =>
  takeAddress(ASKING, request, env)

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
