import type { AuthTexts } from '../../../../texts/compiled/auth.ts'
import type { ApiError } from '../../../core/errors.ts'
import { type SecretSealer, sealerOf } from '../../../core/sealed-secret.ts'
import type { SecondFactorQuestion } from '../../../features/second-factors/log-in-with-code.ts'
import {
  beginTotpAtLoginStep,
  showSecondFactorStep,
} from '../../../features/second-factors/log-in-with-code.ts'
import { TOTP_SECRET } from '../../../features/second-factors/totp.ts'
import type { NewTotp } from '../../../model/second-factors/codes.ts'
import {
  newTotpSecret,
  type TotpEntry,
  totpEntryOf,
} from '../../../model/second-factors/in-worker/totp-codes.ts'
import { field, form, refusalLine } from '../../html/auth-page.ts'
import { Html, html, respondPage } from '../../html/html.ts'
import { textsOfRequest } from '../../html/texts-of-request.ts'
import { askOrRefuse } from '../../operations/ask-realm.ts'
import type { Environment } from '../../request/environment.ts'
import { findRealm } from '../../request/find-realm.ts'
import { respondSuccess } from '../../request/respond.ts'
import { asksForJson, FORMS_LEAD_TO } from './login-answers.ts'
import { type Destination, queryFor } from './login-end.ts'
import { PASSKEY_SCRIPT, passkeyForm } from './other-ways.ts'

/** The route for the code that follows the password. */
export const SECOND_FACTOR_PATH = '/accounts/login/second-factor'

export interface AskedFactor {
  /** The ticket issued for the correct password. */
  readonly ticket: string
  readonly refusal?: ApiError
}

/**
 * Asks for the second factor after the password, or has one set up if the organization requires it and there is none. The destination of
 * the login is in the address to which the forms are posted.
 */
export async function respondSecondFactor(
  request: Request,
  env: Environment,
  destination: Destination,
  asked: AskedFactor,
  status = 200,
): Promise<Response> {
  const question = await askOrRefuse<SecondFactorQuestion>(request, env, showSecondFactorStep.operation, {
    ticket: asked.ticket,
  })
  const entry = question.must_set_up ? await beginTotp(request, env, asked.ticket) : undefined
  if (asksForJson(request)) {
    return respondSuccess({
      second_factor: { ticket: asked.ticket, ...question, ...(entry ? { totp: entry } : {}) },
    })
  }
  const texts = textsOfRequest(request)
  const { title, body } = entry
    ? { title: texts.secondFactor.setUpTitle, body: setUpForm(texts, entry, asked, destination) }
    : { title: texts.secondFactor.title, body: codeForm(texts, question, asked, destination) }
  return respondPage(title, body, status, {
    language: texts.language,
    formsLeadTo: FORMS_LEAD_TO,
    ...(question.has_passkey ? { script: PASSKEY_SCRIPT } : {}),
  })
}

/** Returns the sealing keys of the organization at the host of a page. */
export async function secretsAt(request: Request, env: Environment): Promise<SecretSealer> {
  const realm = await findRealm(env.DB, new URL(request.url))
  return sealerOf(env, realm?.id ?? 0)
}

async function beginTotp(request: Request, env: Environment, ticket: string): Promise<TotpEntry> {
  const secrets = await secretsAt(request, env)
  const secret = await secrets.seal(TOTP_SECRET, newTotpSecret())
  const { operation } = beginTotpAtLoginStep
  const begun = await askOrRefuse<NewTotp>(request, env, operation, { ticket, secret }, { counted: true })
  return totpEntryOf(await secrets.open(TOTP_SECRET, begun.secret), begun)
}

function codeForm(
  texts: AuthTexts,
  { has_passkey }: SecondFactorQuestion,
  { ticket, refusal }: AskedFactor,
  destination: Destination,
): Html {
  const { secondFactor } = texts
  const fields = html`${ticketField(ticket)}
${field({ label: secondFactor.code, name: 'code' }, 'required autocomplete="one-time-code" autofocus')}`
  return html`${refusalLine(texts, refusal)}
${has_passkey ? passkeyForm(texts, destination, ticket) : ''}
${form(fields, texts.logIn.button, addressFor(destination))}`
}

function setUpForm(
  texts: AuthTexts,
  entry: TotpEntry,
  { ticket, refusal }: AskedFactor,
  destination: Destination,
): Html {
  const { secondFactor } = texts
  const fields = html`${ticketField(ticket)}
${field({ label: secondFactor.firstCode, name: 'code' }, 'required inputmode="numeric" autocomplete="one-time-code"')}`
  return html`${refusalLine(texts, refusal)}
<p>${secondFactor.setUpAbout}</p>
<p>${secondFactor.scan}</p>
<div class="auth-qr">${new Html(entry.qr_code)}</div>
<p>${secondFactor.orType}</p>
<pre>${entry.secret}</pre>
${form(fields, secondFactor.setUpButton, addressFor(destination))}`
}

function ticketField(ticket: string): Html {
  return html`<input type="hidden" name="ticket" value="${ticket}">`
}

function addressFor(destination: Destination): string {
  return `${SECOND_FACTOR_PATH}/${queryFor(destination)}`
}
