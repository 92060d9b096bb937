import { hashPassword } from '../../api/in-worker/password-hash.ts'
import { ApiError } from '../../core/errors.ts'
import {
  askPasswordResetStep,
  resetPasswordStep,
  type ShownPasswordReset,
  showPasswordResetStep,
} from '../../features/users/links-in-mails.ts'
import { askRealm, readForm } from '../ask-realm.ts'
import type { Environment } from '../environment.ts'
import { makeKnown } from '../known-browser.ts'
import { type AddressPage, showAddressPage, takeAddress } from './address-page.ts'
import { form, newPasswordField, refusalLine, respondDoor, respondRefusal, toLogIn } from './door-page.ts'
import type { DoorTexts } from './door-texts/english.ts'
import { textsOfRequest } from './door-texts/texts-of-request.ts'
import { type Html, html } from './html.ts'
import type { PageRequest } from './page-request.ts'

const ASKING: AddressPage = {
  wordsOf: ({ reset }) => reset,
  operation: askPasswordResetStep.operation,
}

/** GET /accounts/password/reset: the form for the address of an account whose password is forgotten. */
export const showPasswordReset = (request: PageRequest) => showAddressPage(ASKING, request)

/** POST of the same address. The answer is the same whether an account has the address or not. */
export const askPasswordReset = (request: PageRequest, env: Environment) => takeAddress(ASKING, request, env)

/** GET /accounts/password/reset/{secret}: the page behind the link in that mail. */
export async function showResetForm(request: PageRequest, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  const { title } = texts.reset
  const shown = await askReset(request, env)
  if (!shown.ok) return respondRefusal(texts, title, shown.error)
  return respondDoor(texts, title, passwordForm(texts, shown.value as ShownPasswordReset))
}

/** POST of the same address: sets the password. All is checked before it is hashed, which is expensive. */
export async function resetPassword(request: PageRequest, env: Environment): Promise<Response> {
  const { password } = await readForm(request, ['password'])
  const texts = textsOfRequest(request)
  const { title, done } = texts.reset
  const params = { secret: request.params.secret, password }
  const { operation } = resetPasswordStep
  const rehearsal = await askRealm(request, env, operation, params, { rehearse: true })
  if (!rehearsal.ok) {
    const shown = await askReset(request, env)
    if (!shown.ok) return respondRefusal(texts, title, shown.error)
    const refusal = ApiError.fromWire(rehearsal.error)
    const again = passwordForm(texts, shown.value as ShownPasswordReset, refusal)
    return respondDoor(texts, title, again, refusal.status)
  }
  const hashed = { ...params, password_hash: await hashPassword(password) }
  const reset = await askRealm(request, env, operation, hashed, { counted: true })
  if (!reset.ok) return respondRefusal(texts, title, reset.error)
  const { organization, email, user_id } = reset.value as ShownPasswordReset
  const page = respondDoor(
    texts,
    title,
    html`<p role="status">${done(email, organization)}</p>${toLogIn(texts)}`,
  )
  return makeKnown(page, request, env, user_id)
}

function askReset(request: PageRequest, env: Environment) {
  return askRealm(request, env, showPasswordResetStep.operation, { secret: request.params.secret })
}

function passwordForm(
  texts: DoorTexts,
  { organization, email }: ShownPasswordReset,
  refusal?: ApiError,
): Html {
  return html`<p class="door-about">${texts.reset.account(email, organization)}</p>
${refusalLine(texts, refusal)}
${form(newPasswordField(texts), texts.reset.button)}`
}
