import type { ShownEmailChange } from '../domain/users/confirm-email.ts'
import { confirmEmailChangeStep, showEmailChangeStep } from '../endpoints/users/confirm-email.ts'
import { askRealm } from './ask-realm.ts'
import type { Environment } from './environment.ts'
import { html, respondPage } from './html.ts'
import type { PageRequest } from './page-request.ts'

const TITLE = 'Your new address'

/**
 * GET /accounts/confirm-email/{secret}: what the link in the mail to a new address opens. It changes nothing
 * yet: programs that look at mail follow its links too.
 */
export async function showEmailChange(request: PageRequest, env: Environment): Promise<Response> {
  const { secret } = request.params
  const shown = await askRealm(request, env, showEmailChangeStep.operation, { secret })
  if (!shown.ok) return respondPage(TITLE, html`<p>${shown.error.msg}</p>`, shown.error.status)
  const { organization, name, email, newEmail } = shown.value as ShownEmailChange
  return respondPage(
    TITLE,
    html`<p>The account of ${name} in <strong>${organization}</strong> has the address ${email}. From now on it
shall be:</p>
<pre>${newEmail}</pre>
<form method="post"><button>Confirm</button></form>`,
  )
}

/** POST of the same: makes the change. */
export async function confirmEmailChange(request: PageRequest, env: Environment): Promise<Response> {
  const { secret } = request.params
  const confirmed = await askRealm(request, env, confirmEmailChangeStep.operation, { secret })
  if (!confirmed.ok) return respondPage(TITLE, html`<p>${confirmed.error.msg}</p>`, confirmed.error.status)
  const { email } = confirmed.value as { email: string }
  return respondPage(
    TITLE,
    html`<p>Your address is ${email} now. Log in with it from now on: apps that know the old one will ask you to.</p>`,
  )
}
