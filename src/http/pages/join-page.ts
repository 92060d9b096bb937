import type { AuthTexts } from '../../../texts/compiled/auth.ts'
import { ApiError, type WireError } from '../../core/errors.ts'
import {
  acceptInvitationStep,
  askToJoinStep,
  type JoinedUser,
  type ShownInvitation,
  showInvitationStep,
} from '../../features/invitations/accept-invitation.ts'
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
import { languageOfRequest, textsOfRequest } from '../html/texts-of-request.ts'
import { askRealm, hasherFor, readForm } from '../operations/ask-realm.ts'
import { requireOwnOrigin } from '../request/browser-session.ts'
import { type Environment, originAt } from '../request/environment.ts'
import type { PageRequest } from '../request/request-url.ts'
import { retryLater } from '../request/respond.ts'
import { logInWithPassword } from './log-in/login-page.ts'
import { askLoginMethods, linksTo, type OtherWay } from './log-in/other-ways.ts'

/** GET /join/{secret}: the page behind an invitation. Its form makes the account, or asks for an address to which a personal link is mailed. */
export async function showJoinPage(request: PageRequest, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  const { secret } = request.params
  const shown = await askRealm(request, env, showInvitationStep.operation, { secret })
  if (!shown.ok) return respondDeadLink(texts, texts.join.title, shown.error)
  const { others } = await askLoginMethods(request, env)
  const body = html`${joinForm(texts, shown.value as ShownInvitation, {})}
${linksTo(others.map(toJoinBy), texts.join.with, `?multiuse_object_key=${encodeURIComponent(secret ?? '')}`)}`
  return respondAuthPage(texts, texts.join.title, body)
}

/** Returns the way in for people without an account. */
function toJoinBy(way: OtherWay): OtherWay {
  return { ...way, login_url: way.signup_url }
}

/** POST /join/{secret}: makes the account and logs in, or sends the mail. All is checked before the password is hashed. */
export async function acceptJoin(request: PageRequest, env: Environment): Promise<Response> {
  const entered = await readForm(request, ['email', 'full_name', 'password'])
  const texts = textsOfRequest(request)
  const { title } = texts.join
  const params = { secret: request.params.secret, ...entered, language: languageOfRequest(request) }
  const shown = await askRealm(request, env, showInvitationStep.operation, { secret: params.secret })
  if (!shown.ok) return respondDeadLink(texts, title, shown.error)
  const invitation = shown.value as ShownInvitation
  const askAgain = (refused: WireError) => {
    const error = ApiError.fromWire(refused)
    const again = joinForm(texts, invitation, { ...entered, refusal: error })
    return retryLater(respondAuthPage(texts, title, again, error.status === 429 ? 429 : 400), error)
  }
  if (invitation.asksForAddress) {
    const { secret, email, language } = params
    const asked = await askRealm(request, env, askToJoinStep.operation, { secret, email, language })
    if (!asked.ok) return askAgain(asked.error)
    return respondAuthPage(texts, title, mailSent(texts, env, texts.join.sent(entered.email.trim())))
  }
  const { operation } = acceptInvitationStep
  const rehearsal = await askRealm(request, env, operation, params, { rehearse: true })
  if (!rehearsal.ok) return askAgain(rehearsal.error)
  const { asksForPassword } = invitation
  const hashed = asksForPassword
    ? { password_hash: await (await hasherFor(request, env)).hash(entered.password) }
    : {}
  const joined = await askRealm(request, env, operation, { ...params, ...hashed }, { counted: true })
  if (!joined.ok) return respondDeadLink(texts, title, joined.error)
  const user = joined.value as JoinedUser
  const letIn = asksForPassword ? await logInHere(request, env, user, entered.password) : undefined
  return letIn ?? respondAuthPage(texts, title, welcome(texts, user, originAt(new URL(request.url), env)))
}

/**
 * Logs in a browser whose form was on our own page: another site must not log it in to a foreign account. Returns undefined if that is
 * uncertain, or the login is refused: the account exists all the same.
 */
async function logInHere(
  request: PageRequest,
  env: Environment,
  { email }: JoinedUser,
  password: string,
): Promise<Response | undefined> {
  const { headers } = request
  if (headers.get('origin') === null && headers.get('sec-fetch-site') === null) return undefined
  try {
    requireOwnOrigin(request)
    return await logInWithPassword(request, env, { kind: 'session', next: '/' }, email, password)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

function joinForm(
  texts: AuthTexts,
  invitation: ShownInvitation,
  entered: { email?: string; full_name?: string; refusal?: ApiError },
): Html {
  const about = html`<p class="auth-about">${texts.join.invited({ referrer: invitation.referrer, organization: invitation.organization })}</p>`
  const known = { label: texts.email, name: 'email', value: invitation.email ?? entered.email }
  if (invitation.asksForAddress) {
    return html`${about}
<p>${texts.join.question}</p>
${refusalLine(texts, entered.refusal)}
${form(field(known, 'type="email" autocomplete="username" required autofocus'), texts.sendLink)}`
  }
  const isAsked = invitation.email === null
  const name = { label: texts.yourName, name: 'full_name', value: entered.full_name }
  // Password managers look for the user name next to a password, even where it cannot be changed.
  const fields = html`${field(known, `type="email" autocomplete="username" ${isAsked ? 'required autofocus' : 'readonly'}`)}
${field(name, `required autocomplete="name" ${isAsked ? '' : 'autofocus'}`)}
${invitation.asksForPassword ? newPasswordField(texts) : ''}`
  return html`${about}
${refusalLine(texts, entered.refusal)}
${form(fields, texts.join.button)}`
}

function welcome(texts: AuthTexts, user: JoinedUser, origin: string): Html {
  return html`<p role="status">${texts.join.welcome(user.organization)}</p>
<p>${texts.join.how}</p>
<pre dir="ltr">${origin}
${user.email}</pre>
${toLogIn(texts)}`
}
