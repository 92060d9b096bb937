import type { AuthTexts } from '../../../texts/compiled/auth.ts'
import { ApiError } from '../../core/errors.ts'
import {
  connectByLinkStep,
  type ShownConnection,
  showConnectionStep,
} from '../../features/login-providers/login-identities.ts'
import {
  askReactivationStep,
  reactivateRealmStep,
  type ShownReactivation,
  showReactivationStep,
} from '../../features/realm/deactivation.ts'
import { confirmEmailChangeStep, showEmailChangeStep } from '../../features/users/confirm-email-change.ts'
import {
  askPasswordResetStep,
  resetPasswordStep,
  type ShownPasswordReset,
  showPasswordResetStep,
} from '../../features/users/reset-password.ts'
import type { ConfirmedEmail, ShownEmailChange } from '../../model/accounts/addresses/confirm-email.ts'
import { describeEmailWay } from '../../outgoing/emails/email-sender.ts'
import {
  field,
  form,
  mailSent,
  newPasswordField,
  refusalLine,
  respondAuthPage,
  respondDeadLink,
  toLogIn,
} from '../html/auth-page.ts'
import { type Html, html } from '../html/html.ts'
import { textsOfRequest } from '../html/texts-of-request.ts'
import { mailOrganizations } from '../mail/mail-organizations.ts'
import { askOrRefuse, askRealm, hasherFor, readForm } from '../operations/ask-realm.ts'
import { makeKnown } from '../request/browser-session.ts'
import type { Environment } from '../request/environment.ts'
import type { PageRequest } from '../request/request-url.ts'
import { retryLater } from '../request/respond.ts'

/** A page that mails something to an entered address. */
interface AddressPage {
  /** Texts of the page. `sent`: the same whether the account exists or not. */
  wordsOf(texts: AuthTexts): {
    readonly title: string
    readonly question: string
    /** The button; 'Send link' if it is not another one. */
    readonly send?: string
    sent(email: string): string
  }
  /** Takes the address; open to anyone. @throws ApiError */
  send(request: PageRequest, env: Environment, entered: Entered): Promise<unknown>
}

/** `state`: what a page of ours has added, for itself. */
interface Entered {
  readonly email: string
  readonly state: string
}

function showAddressPage(page: AddressPage, request: PageRequest): Response {
  const texts = textsOfRequest(request)
  return respondAuthPage(texts, page.wordsOf(texts).title, addressForm(page, texts, {}))
}

async function takeAddress(page: AddressPage, request: PageRequest, env: Environment): Promise<Response> {
  const entered = await readForm(request, ['email', 'state'])
  const { email } = entered
  const texts = textsOfRequest(request)
  const { title, sent } = page.wordsOf(texts)
  try {
    await page.send(request, env, entered)
    return respondAuthPage(texts, title, mailSent(texts, env, sent(email)))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const again = addressForm(page, texts, { email, refusal: error })
    return retryLater(respondAuthPage(texts, title, again, error.status), error)
  }
}

function addressForm(
  page: AddressPage,
  texts: AuthTexts,
  { email = '', refusal }: { email?: string; refusal?: ApiError },
): Html {
  const attributes = 'type="email" required autocomplete="username" autofocus'
  const { question, send = texts.sendLink } = page.wordsOf(texts)
  return html`<p class="auth-about">${question}</p>
${refusalLine(texts, refusal)}
${form(field({ label: texts.email, name: 'email', value: email }, attributes), send)}`
}

const FINDING: AddressPage = { wordsOf: ({ find }) => find, send: mailOrganizations }

/** GET /find, at every host of the deployment: the form for the address of which the organizations are mailed. */
export function showFindPage(request: PageRequest, env: Environment): Response {
  const texts = textsOfRequest(request)
  if (describeEmailWay(env) !== undefined) return showAddressPage(FINDING, request)
  return respondAuthPage(texts, texts.find.title, html`<p>${texts.find.noMail}</p>`)
}

/** POST of the same address. The answer is the same whether or not any account has the address. */
export const findOrganizations = (request: PageRequest, env: Environment) =>
  takeAddress(FINDING, request, env)

const ASKING_FOR_PASSWORD: AddressPage = {
  wordsOf: ({ reset }) => reset,
  send: (request, env, { email }) => askOrRefuse(request, env, askPasswordResetStep.operation, { email }),
}

/** GET /accounts/password/reset: the form for the address of an account with a forgotten password. */
export const showPasswordReset = (request: PageRequest) => showAddressPage(ASKING_FOR_PASSWORD, request)

/** POST of the same address. The answer is the same whether or not an account has the address. */
export const askPasswordReset = (request: PageRequest, env: Environment) =>
  takeAddress(ASKING_FOR_PASSWORD, request, env)

/** GET /accounts/password/reset/{secret}: the page behind the link in that mail. */
export async function showResetForm(request: PageRequest, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  const { title } = texts.reset
  const shown = await askReset(request, env)
  if (!shown.ok) return respondDeadLink(texts, title, shown.error)
  return respondAuthPage(texts, title, passwordForm(texts, shown.value as ShownPasswordReset))
}

/** POST of the same address: sets the password. Everything is checked before it is hashed, which is expensive. */
export async function resetPassword(request: PageRequest, env: Environment): Promise<Response> {
  const { password } = await readForm(request, ['password'])
  const texts = textsOfRequest(request)
  const { title, done } = texts.reset
  const params = { secret: request.params.secret, password }
  const { operation } = resetPasswordStep
  const rehearsal = await askRealm(request, env, operation, params, { rehearse: true })
  if (!rehearsal.ok) {
    const shown = await askReset(request, env)
    if (!shown.ok) return respondDeadLink(texts, title, shown.error)
    const refusal = ApiError.fromWire(rehearsal.error)
    const again = passwordForm(texts, shown.value as ShownPasswordReset, refusal)
    return respondAuthPage(texts, title, again, refusal.status)
  }
  const hashed = { ...params, password_hash: await (await hasherFor(request, env)).hash(password) }
  const reset = await askRealm(request, env, operation, hashed, { counted: true })
  if (!reset.ok) return respondDeadLink(texts, title, reset.error)
  const { organization, email, user_id } = reset.value as ShownPasswordReset
  const page = respondAuthPage(
    texts,
    title,
    html`<p role="status">${done({ email, organization })}</p>${toLogIn(texts)}`,
  )
  return makeKnown(page, request, env, user_id)
}

function askReset(request: PageRequest, env: Environment) {
  return askRealm(request, env, showPasswordResetStep.operation, { secret: request.params.secret })
}

function passwordForm(
  texts: AuthTexts,
  { organization, email }: ShownPasswordReset,
  refusal?: ApiError,
): Html {
  return html`<p class="auth-about">${texts.reset.account({ email, organization })}</p>
${refusalLine(texts, refusal)}
${form(newPasswordField(texts), texts.reset.button)}`
}

const ASKING_FOR_REACTIVATION: AddressPage = {
  wordsOf: ({ reactivation }) => reactivation,
  send: (request, env, { email }) => askOrRefuse(request, env, askReactivationStep.operation, { email }),
}

/** GET /accounts/reactivate: the form with which an owner of a deactivated organization requests a link. */
export const showReactivationForm = (request: PageRequest) =>
  showAddressPage(ASKING_FOR_REACTIVATION, request)

/** POST of the same address. The answer is the same whether or not the address is an owner's. */
export const askForReactivation = (request: PageRequest, env: Environment) =>
  takeAddress(ASKING_FOR_REACTIVATION, request, env)

/** GET /accounts/reactivate/{secret}: the page behind the link. It changes nothing yet, since mail scanners follow links too. */
export async function showReactivationLink(request: PageRequest, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  const { title, isClosed, button } = texts.reactivation
  const shown = await askRealm(request, env, showReactivationStep.operation, linkOf(request))
  if (!shown.ok) return respondDeadLink(texts, title, shown.error)
  const { organization } = shown.value as ShownReactivation
  return respondAuthPage(texts, title, html`<p>${isClosed(organization)}</p>${form(html``, button)}`)
}

/** POST of the same address: reactivates the organization. */
export async function reactivate(request: PageRequest, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  const { title, done } = texts.reactivation
  const opened = await askRealm(request, env, reactivateRealmStep.operation, linkOf(request))
  if (!opened.ok) return respondDeadLink(texts, title, opened.error)
  const { organization } = opened.value as ShownReactivation
  return respondAuthPage(texts, title, html`<p role="status">${done(organization)}</p>${toLogIn(texts)}`)
}

function linkOf({ params }: PageRequest): { readonly secret: string } {
  return { secret: params.secret! }
}

/** GET /accounts/confirm-email/{secret}: the page behind a mailed link. It changes nothing yet, since scanners follow links too. */
export async function showEmailChange(request: PageRequest, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  const { newAddress, ownAddress } = texts
  const { secret } = request.params
  const shown = await askRealm(request, env, showEmailChangeStep.operation, { secret })
  if (!shown.ok) return respondDeadLink(texts, newAddress.title, shown.error)
  const { organization, name, email, newEmail } = shown.value as ShownEmailChange
  const isNew = newEmail !== email
  const { title, button } = isNew ? newAddress : ownAddress
  const about = isNew
    ? newAddress.before({ name, organization, email })
    : ownAddress.question({ name, organization })
  const question = html`<p class="auth-about">${about}</p>
<p><strong>${newEmail}</strong></p>
${form(html``, button)}`
  return respondAuthPage(texts, title, question)
}

/** POST of the same address: makes the change. */
export async function confirmEmailChange(request: PageRequest, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  const { secret } = request.params
  const confirmed = await askRealm(request, env, confirmEmailChangeStep.operation, { secret })
  if (!confirmed.ok) return respondDeadLink(texts, texts.newAddress.title, confirmed.error)
  const { email, isNew } = confirmed.value as ConfirmedEmail
  const { title, done } = isNew ? texts.newAddress : texts.ownAddress
  return respondAuthPage(texts, title, html`<p role="status">${done(email)}</p>${toLogIn(texts)}`)
}

/** GET /accounts/connect/{secret}: the page behind a link that lets a provider, or the other system's tokens, open the account. It changes nothing yet. */
export async function showConnection(request: PageRequest, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  const { title, question, button } = texts.connection
  const shown = await askRealm(request, env, showConnectionStep.operation, linkOf(request))
  if (!shown.ok) return respondDeadLink(texts, title, shown.error)
  const { organization, email, name } = shown.value as ShownConnection
  const about = html`<p class="auth-about">${question({ email, organization, name })}</p>`
  return respondAuthPage(texts, title, html`${about}${form(html``, button)}`)
}

/** POST of the same address: connects the account. */
export async function connectByLink(request: PageRequest, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  const { title, done } = texts.connection
  const connected = await askRealm(request, env, connectByLinkStep.operation, linkOf(request))
  if (!connected.ok) return respondDeadLink(texts, title, connected.error)
  const { name } = connected.value as Pick<ShownConnection, 'name'>
  return respondAuthPage(texts, title, html`<p role="status">${done(name)}</p>${toLogIn(texts)}`)
}
