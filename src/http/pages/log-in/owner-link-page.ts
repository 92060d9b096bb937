import { ApiError } from '../../../core/errors.ts'
import { logInByOwnerLinkStep } from '../../../features/users/login-steps.ts'
import { isOrganizationTicket, useOrganizationTicket } from '../../../store/d1/realms.ts'
import type { FinishedLogin } from '../../../store/users/login/login-ticket-rows.ts'
import { askRealm } from '../../ask-realm.ts'
import { requireOwnOrigin } from '../../browser-session.ts'
import type { Environment } from '../../environment.ts'
import { realmHost } from '../../find-realm.ts'
import { sha256Hex } from '../../sha256.ts'
import { form, respondDoor, respondRefusal } from '../door-page.ts'
import type { DoorTexts } from '../door-texts/english.ts'
import { textsOfRequest } from '../door-texts/texts-of-request.ts'
import { html } from '../html.ts'
import type { PageRequest } from '../page-request.ts'
import { beginLogin } from './login-end.ts'
import { respondFinished } from './respond-finished.ts'

/** The path with which an owner's link begins; its ticket follows, and the address is in the query. */
export const OWNER_LINK_PATH = '/accounts/owner-link'

/**
 * GET /accounts/owner-link/{ticket}?email=…: the page behind a link of `npm run owner-link`. It uses nothing up, since programs that look at
 * links follow them.
 */
export async function showOwnerLink(request: PageRequest, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  if (!(await isOrganizationTicket(env.DB, await ticketOf(request), Date.now() / 1_000)))
    return refuseLink(texts)
  return respondDoor(
    texts,
    texts.logIn.title,
    html`<p class="door-about">${texts.ownerLink.about(emailOf(request))}</p>${form(html``, texts.logIn.button)}`,
  )
}

/** POST of the same address: uses the ticket up, and logs the owner in here. */
export async function logInByLink(request: PageRequest, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  try {
    requireOwnOrigin(request)
    if (!(await useOrganizationTicket(env.DB, await ticketOf(request), Date.now() / 1_000))) {
      return refuseLink(texts)
    }
    const underWay = await beginLogin({ kind: 'session', next: '/' })
    const params = { email: emailOf(request), end: underWay.end }
    const entered = await askRealm(request, env, logInByOwnerLinkStep.operation, params)
    if (!entered.ok) return respondRefusal(texts, texts.logIn.title, entered.error)
    return await respondFinished(request, env, underWay, entered.value as FinishedLogin)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return respondRefusal(texts, texts.logIn.title, error.toWire())
  }
}

/** The digest has the purpose and the address in it: a ticket of another kind opens no account, and this one no other account. */
async function ticketOf(request: PageRequest) {
  const text = `owner link\n${emailOf(request)}\n${request.params.ticket ?? ''}`
  return { digest: await sha256Hex(text), host: realmHost(new URL(request.url)) }
}

function emailOf({ url }: PageRequest): string {
  return new URL(url).searchParams.get('email') ?? ''
}

function refuseLink(texts: DoorTexts): Response {
  return respondDoor(texts, texts.logIn.title, html`<p>${texts.ownerLink.used}</p>`, 404)
}
