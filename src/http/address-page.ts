import { ApiError } from '../core/errors.ts'
import { askRealm, readForm } from './ask-realm.ts'
import type { Environment } from './environment.ts'
import { type Html, html, respondPage } from './html.ts'
import type { PageRequest } from './page-request.ts'
import { retryLater } from './respond.ts'

/** A page on which somebody gives an address, to get a mail with a link there. */
export interface AddressPage {
  readonly title: string
  /** HTML above the form. */
  readonly question: Html
  /** HTML once it was sent: the same whether there is such an account or not. */
  answer(email: string): Html
  /** The operation that is given the address; open to anyone. */
  readonly operation: string
}

/** Shows the empty form. */
export function showAddressPage(page: AddressPage): Response {
  return respondPage(page.title, addressForm(page, {}))
}

/** Takes the form. */
export async function takeAddress(
  page: AddressPage,
  request: PageRequest,
  env: Environment,
): Promise<Response> {
  const { email } = await readForm(request, ['email'])
  const asked = await askRealm(request, env, page.operation, { email })
  if (asked.ok) return respondPage(page.title, page.answer(email))
  const error = ApiError.fromWire(asked.error)
  const refusal = error.status === 429 ? 'Too many requests. Try again later.' : error.message
  return retryLater(respondPage(page.title, addressForm(page, { email, refusal }), error.status), error)
}

function addressForm(
  { question }: AddressPage,
  { email = '', refusal }: { email?: string; refusal?: string },
): Html {
  return html`${question}
${refusalLine(refusal)}
<form method="post">
  <label for="email">E-mail address</label>
  <input id="email" name="email" type="email" required autocomplete="username" value="${email}">
  <button>Send the link</button>
</form>`
}

/** What was wrong with a form, above it. */
export function refusalLine(refusal: string | undefined): Html {
  return refusal === undefined ? html`` : html`<p class="error" role="alert">${refusal}</p>`
}
