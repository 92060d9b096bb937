import type { AuthTexts } from '../../../texts/compiled/auth.ts'
import { ApiError } from '../../core/errors.ts'
import { FIRST_CHANNEL_ID } from '../../model/realm/create-realm.ts'
import { isOrganizationTicket } from '../../store/d1/realms.ts'
import { createOrganization, readCreation } from '../deployment/set-up-organization.ts'
import { choice, field, form, newPasswordField, refusalLine, respondAuthPage } from '../html/auth-page.ts'
import { type Html, html } from '../html/html.ts'
import { languageOfRequest, type Refused, textsOfRequest } from '../html/texts-of-request.ts'
import { readForm } from '../operations/ask-realm.ts'
import { requireOwnOrigin } from '../request/browser-session.ts'
import type { Environment } from '../request/environment.ts'
import { jurisdictionOf } from '../request/realm-location.ts'
import { type PageRequest, realmHost } from '../request/request-url.ts'
import { respondFailure } from '../request/respond.ts'
import { sha256Hex } from '../request/sha256.ts'
import { logInWithPassword } from './log-in/login-page.ts'

/** The path of a setup link, followed by its ticket. */
export const SET_UP_PATH = '/setup'

interface Entered {
  readonly name: string
  readonly full_name: string
  readonly email: string
  /** The region of the organization: a location hint of the platform, or ''. */
  readonly location: string
}

const NOTHING: Entered = { name: '', full_name: '', email: '', location: '' }

/** GET /setup/{ticket}: the page behind the link that the first start or deployment prints. A form makes the organization and its owner. */
export async function showSetUpPage(request: PageRequest, env: Environment): Promise<Response> {
  const texts = textsOfRequest(request)
  if (!(await isGood(request, env))) return refuseLink(texts)
  return respondAuthPage(texts, texts.setUp.title, creationForm(texts, env, NOTHING))
}

/** Returns the page at / of a deployment without any organization: only who has the printed code may found the first one. */
export function askForCode(request: Request): Response {
  const texts = textsOfRequest(request)
  const code = field({ label: texts.setUp.code, name: 'code' }, 'required autofocus autocomplete="off"')
  const content = html`<p class="auth-about">${texts.setUp.enterCode}</p>
${form(code, texts.setUp.onward, SET_UP_PATH)}`
  return respondAuthPage(texts, texts.setUp.title, content)
}

/** POST /setup: leads to the page of the code, or of the whole link. */
export async function enterCode(request: PageRequest): Promise<Response> {
  const { code } = await readForm(request, ['code'])
  const ticket = code.trim().split('/').at(-1) ?? ''
  return new Response(null, {
    status: 303,
    headers: { Location: `${SET_UP_PATH}/${encodeURIComponent(ticket)}` },
  })
}

/** POST /setup/{ticket}. A valid form uses up the ticket, and logs the owner in. */
export async function setUp(request: PageRequest, env: Environment): Promise<Response> {
  const { password, ...entered } = await readForm(request, [
    'name',
    'full_name',
    'email',
    'location',
    'password',
  ])
  const texts = textsOfRequest(request)
  try {
    requireOwnOrigin(request)
    if (!(await isGood(request, env))) return refuseLink(texts)
    const { name, full_name, email, location } = entered
    const ticket = request.params.ticket ?? ''
    const owner = { email, full_name, password }
    const hint = location === '' ? {} : { location }
    const founding = { ticket, name, host: realmHost(new URL(request.url)), owner, ...hint }
    await createOrganization(env, readCreation(founding), {
      default_language: languageOfRequest(request) ?? 'en',
      // People who use the page expect previews; clients that found by the API expect the defaults of the interface.
      inline_url_embed_preview: true,
      // So the founder sees who has come.
      signup_announcements_stream_id: FIRST_CHANNEL_ID,
    })
    return await logInWithPassword(request, env, { kind: 'session', next: '/' }, email, password)
  } catch (error) {
    if (!(error instanceof ApiError)) return respondFailure('set-up-page', error)
    const again = creationForm(texts, env, entered, withoutField(error))
    return respondAuthPage(texts, texts.setUp.title, again, error.status)
  }
}

async function isGood({ params, url }: PageRequest, env: Environment): Promise<boolean> {
  const shown = { digest: await sha256Hex(params.ticket ?? ''), host: realmHost(new URL(url)) }
  return isOrganizationTicket(env.DB, shown, Date.now() / 1_000)
}

/** Returns a refusal without the field name, which is for programs. */
function withoutField({ message, status, extra }: ApiError): Refused {
  return { message: message.replace(/^[a-z_.]{1,40}: /, ''), status, extra }
}

function refuseLink(texts: AuthTexts): Response {
  return respondAuthPage(texts, texts.setUp.title, html`<p>${texts.setUp.used}</p>`, 404)
}

function creationForm(
  texts: AuthTexts,
  env: Environment,
  { name, full_name, email, location }: Entered,
  refusal?: Refused,
): Html {
  const jurisdiction = jurisdictionOf(env)
  const organization = { label: texts.setUp.organization, name: 'name', value: name }
  const owner = { label: texts.yourName, name: 'full_name', value: full_name }
  const fields = html`${field(organization, 'required autofocus maxlength="40" autocomplete="organization"')}
${field(owner, 'required minlength="2" maxlength="100" autocomplete="name"')}
${field({ label: texts.email, name: 'email', value: email }, 'type="email" required autocomplete="email"')}
${newPasswordField(texts)}
${choice({ label: texts.setUp.location, name: 'location', value: location }, texts.setUp.locations)}
<p class="small soft">${texts.setUp.locationHint}</p>
${jurisdiction === null ? '' : html`<p class="auth-about">${texts.setUp.kept(jurisdiction)}</p>`}`
  return html`<p class="auth-about">${texts.setUp.about}</p>
${refusalLine(texts, refusal)}
${form(fields, texts.setUp.button)}`
}
