import { ApiError } from '../../core/errors.ts'
import { askRealm, readForm } from '../ask-realm.ts'
import type { Environment } from '../environment.ts'
import { retryLater } from '../respond.ts'
import { field, form, refusalLine, respondDoor } from './door-page.ts'
import type { DoorTexts } from './door-texts/english.ts'
import { textsOfRequest } from './door-texts/texts-of-request.ts'
import { type Html, html } from './html.ts'
import type { PageRequest } from './page-request.ts'

/** A page with a field for an address, to which a link is mailed. */
export interface AddressPage {
  /** Words of the page. `sent`: the same whether there is such an account or not. */
  wordsOf(texts: DoorTexts): {
    readonly title: string
    readonly question: string
    sent(email: string): string
  }
  /** The operation that gets the address; open to anyone. */
  readonly operation: string
}

/** Answers with the empty form. */
export function showAddressPage(page: AddressPage, request: PageRequest): Response {
  const texts = textsOfRequest(request)
  return respondDoor(texts, page.wordsOf(texts).title, addressForm(page, texts, {}))
}

/** Handles the posted form. */
export async function takeAddress(
  page: AddressPage,
  request: PageRequest,
  env: Environment,
): Promise<Response> {
  const { email } = await readForm(request, ['email'])
  const texts = textsOfRequest(request)
  const { title, sent } = page.wordsOf(texts)
  const asked = await askRealm(request, env, page.operation, { email })
  if (asked.ok) return respondDoor(texts, title, html`<p role="status">${sent(email)}</p>`)
  const error = ApiError.fromWire(asked.error)
  const again = addressForm(page, texts, { email, refusal: error })
  return retryLater(respondDoor(texts, title, again, error.status), error)
}

function addressForm(
  page: AddressPage,
  texts: DoorTexts,
  { email = '', refusal }: { email?: string; refusal?: ApiError },
): Html {
  const attributes = 'type="email" required autocomplete="username"'
  return html`<p class="door-about">${page.wordsOf(texts).question}</p>
${refusalLine(texts, refusal)}
${form(field({ label: texts.email, name: 'email', value: email }, attributes), texts.sendLink)}`
}
