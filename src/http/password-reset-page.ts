import type { ShownPasswordReset } from '../domain/users/reset-password.ts'
import { hashPassword } from '../endpoints/users/password-hash.ts'
import {
  askPasswordResetStep,
  resetPasswordStep,
  showPasswordResetStep,
} from '../endpoints/users/reset-password.ts'
import { type AddressPage, refusalLine, showAddressPage, takeAddress } from './address-page.ts'
import { askRealm, readForm } from './ask-realm.ts'
import type { Environment } from './environment.ts'
import { type Html, html, respondPage } from './html.ts'
import type { PageRequest } from './page-request.ts'

const TITLE = 'A new password'

const ASKING: AddressPage = {
  title: TITLE,
  question: html`<p>Which address does your account have? A link to choose a new password will be sent to it.</p>`,
  answer: (email) =>
    html`<p>If there is an account with the address ${email}, a mail with a link is on its way to it.</p>`,
  operation: askPasswordResetStep.operation,
}

/** GET /accounts/password/reset: where somebody says which password they have forgotten. */
export const showPasswordReset = () => showAddressPage(ASKING)

/** POST of the same. The answer is one whether an account has the address or not. */
export const askPasswordReset = (request: PageRequest, env: Environment) => takeAddress(ASKING, request, env)

/** GET /accounts/password/reset/{secret}: what the link in that mail opens. */
export async function showResetForm(request: PageRequest, env: Environment): Promise<Response> {
  const shown = await askReset(request, env)
  if (!shown.ok) return respondPage(TITLE, html`<p>${shown.error.msg}</p>`, shown.error.status)
  return respondPage(TITLE, passwordForm(shown.value as ShownPasswordReset))
}

/** POST of the same: sets the password. Checked before it is hashed, which costs. */
export async function resetPassword(request: PageRequest, env: Environment): Promise<Response> {
  const { password } = await readForm(request, ['password'])
  const params = { secret: request.params.secret, password }
  const { operation } = resetPasswordStep
  const rehearsal = await askRealm(request, env, operation, params, { rehearse: true })
  if (!rehearsal.ok) {
    const shown = await askReset(request, env)
    if (!shown.ok) return respondPage(TITLE, html`<p>${shown.error.msg}</p>`, shown.error.status)
    const form = passwordForm(shown.value as ShownPasswordReset, rehearsal.error.msg)
    return respondPage(TITLE, form, rehearsal.error.status)
  }
  const hashed = { ...params, password_hash: await hashPassword(password) }
  const reset = await askRealm(request, env, operation, hashed, { counted: true })
  if (!reset.ok) return respondPage(TITLE, html`<p>${reset.error.msg}</p>`, reset.error.status)
  const { organization, email } = reset.value as ShownPasswordReset
  return respondPage(
    TITLE,
    html`<p>The account ${email} in <strong>${organization}</strong> has its new password. Log in with it in your app.</p>`,
  )
}

function askReset(request: PageRequest, env: Environment) {
  return askRealm(request, env, showPasswordResetStep.operation, { secret: request.params.secret })
}

function passwordForm({ organization, email }: ShownPasswordReset, refusal?: string): Html {
  return html`<p>For the account ${email} in <strong>${organization}</strong>.</p>
${refusalLine(refusal)}
<form method="post">
  <label for="password">A password, at least six characters</label>
  <input id="password" name="password" type="password" required minlength="6" autocomplete="new-password">
  <button>Set the password</button>
</form>`
}
