import {
  askReactivationStep,
  reactivateRealmStep,
  type ShownReactivation,
  showReactivationStep,
} from '../../features/realm/deactivation.ts'
import { askRealm } from '../ask-realm.ts'
import type { Environment } from '../environment.ts'
import { type AddressPage, showAddressPage, takeAddress } from './address-page.ts'
import { form, respondDoor, respondRefusal, toLogIn } from './door-page.ts'
import { textsOfRequest } from './door-texts/texts-of-request.ts'
import { html } from './html.ts'
import type { PageRequest } from './page-request.ts'

const ASKING: AddressPage = {
  wordsOf: ({ reactivation }) => reactivation,
  operation: askReactivationStep.operation,
}

/** GET /accounts/reactivate: the form on which an owner of a closed organization asks for a link. */
export const showReactivationForm = (request: PageRequest) => showAddressPage(ASKING, request)

/** POST of the same address. The answer is the same whether the address is an owner's or not. */
export const askForReactivation = (request: PageRequest, env: Environment) =>
  takeAddress(ASKING, request, env)

/**
 * GET /accounts/reactivate/{secret}: the page behind the link. It changes nothing yet, since programs that
 * scan mail follow links too.
 */
export async function showReactivationLink(request: PageRequest, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  const { title, isClosed, button } = texts.reactivation
  const shown = await askRealm(request, env, showReactivationStep.operation, linkOf(request))
  if (!shown.ok) return respondRefusal(texts, title, shown.error)
  const { organization } = shown.value as ShownReactivation
  return respondDoor(texts, title, html`<p>${isClosed(organization)}</p>${form(html``, button)}`)
}

/** POST of the same address: opens the organization. */
export async function reactivate(request: PageRequest, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  const { title, done } = texts.reactivation
  const opened = await askRealm(request, env, reactivateRealmStep.operation, linkOf(request))
  if (!opened.ok) return respondRefusal(texts, title, opened.error)
  const { organization } = opened.value as ShownReactivation
  return respondDoor(texts, title, html`<p role="status">${done(organization)}</p>${toLogIn(texts)}`)
}

function linkOf({ params }: PageRequest): { readonly secret: string } {
  return { secret: params.secret! }
}
