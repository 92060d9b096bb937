import { confirmEmailChangeStep, showEmailChangeStep } from '../../features/users/links-in-mails.ts'
import type { ConfirmedEmail, ShownEmailChange } from '../../model/users/addresses/confirm-email.ts'
import { askRealm } from '../ask-realm.ts'
import type { Environment } from '../environment.ts'
import { form, respondDoor, respondRefusal, toLogIn } from './door-page.ts'
import { textsOfRequest } from './door-texts/texts-of-request.ts'
import { html } from './html.ts'
import type { PageRequest } from './page-request.ts'

/**
 * GET /accounts/confirm-email/{secret}: the page behind the link in the mail to a new address. It changes
 * nothing yet, since programs that scan mail follow links too.
 */
export async function showEmailChange(request: PageRequest, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  const { newAddress, ownAddress } = texts
  const { secret } = request.params
  const shown = await askRealm(request, env, showEmailChangeStep.operation, { secret })
  if (!shown.ok) return respondRefusal(texts, newAddress.title, shown.error)
  const { organization, name, email, newEmail } = shown.value as ShownEmailChange
  const isNew = newEmail !== email
  const { title, button } = isNew ? newAddress : ownAddress
  const about = isNew ? newAddress.before(name, organization, email) : ownAddress.question(name, organization)
  const question = html`<p class="door-about">${about}</p>
<p><strong>${newEmail}</strong></p>
${form(html``, button)}`
  return respondDoor(texts, title, question)
}

/** POST of the same address: makes the change. */
export async function confirmEmailChange(request: PageRequest, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  const { secret } = request.params
  const confirmed = await askRealm(request, env, confirmEmailChangeStep.operation, { secret })
  if (!confirmed.ok) return respondRefusal(texts, texts.newAddress.title, confirmed.error)
  const { email, isNew } = confirmed.value as ConfirmedEmail
  const { title, done } = isNew ? texts.newAddress : texts.ownAddress
  return respondDoor(texts, title, html`<p role="status">${done(email)}</p>${toLogIn(texts)}`)
}
