import { ApiError } from '../core/errors.ts'
import { isOrganizationTicket } from '../d1/organization-tickets.ts'
import { readForm } from './ask-realm.ts'
import { requireOwnOrigin } from './browser-session.ts'
import type { Environment } from './environment.ts'
import { realmHost } from './find-realm.ts'
import { type Html, html, respondPage } from './html.ts'
import { beginSession, redirectWith } from './login-page.ts'
import type { PageRequest } from './page-request.ts'
import { respondFailure } from './respond.ts'
import { foundOrganization, readFounding } from './set-up-organization.ts'
import { sha256Hex } from './sha256.ts'

/** What a set-up link begins with; its ticket follows. */
export const SET_UP_PATH = '/setup'

interface Entered {
  readonly name: string
  readonly full_name: string
  readonly email: string
}

const NOTHING: Entered = { name: '', full_name: '', email: '' }

/** GET /setup/{ticket}: the link that a first start or deployment prints. A form makes the organization and its owner. */
export async function showSetUpPage(request: PageRequest, env: Environment): Promise<Response> {
  return (await isGood(request, env)) ? respondPage(TITLE, form(NOTHING)) : refuseLink()
}

/** POST of the same. The ticket is used up when nothing is wrong with what was entered; then the owner is logged in here. */
export async function setUp(request: PageRequest, env: Environment): Promise<Response> {
  const { password, ...entered } = await readForm(request, ['name', 'full_name', 'email', 'password'])
  try {
    requireOwnOrigin(request)
    if (!(await isGood(request, env))) return refuseLink()
    const { name, full_name, email } = entered
    const ticket = request.params.ticket ?? ''
    const owner = { email, full_name, password }
    await foundOrganization(env, readFounding({ ticket, name, host: realmHost(new URL(request.url)), owner }))
    return redirectWith('/', await beginSession(request, env, email, password))
  } catch (error) {
    if (!(error instanceof ApiError)) return respondFailure('set-up-page', error)
    return respondPage(TITLE, form(entered, sentenceOf(error)), error.status)
  }
}

async function isGood({ params, url }: PageRequest, env: Environment): Promise<boolean> {
  const shown = { digest: await sha256Hex(params.ticket ?? ''), host: realmHost(new URL(url)) }
  return isOrganizationTicket(env.DB, shown, Date.now() / 1_000)
}

/** Without the name of the field, which programs are told. */
function sentenceOf({ message }: ApiError): string {
  return message.replace(/^[a-z_.]{1,40}: /, '')
}

const TITLE = 'A new organization'

function refuseLink(): Response {
  const text = html`<p>This link has been used, or is too old. Whoever runs this server gets another one by
starting or deploying it again.</p>`
  return respondPage(TITLE, text, 404)
}

function form({ name, full_name, email }: Entered, refusal?: string): Html {
  return html`<p>Nobody talks here yet. You will be the owner of the organization, and can invite the others.</p>
${refusal === undefined ? html`` : html`<p class="error" role="alert">${refusal}</p>`}
<form method="post">
  <label for="name">Name of the organization</label>
  <input id="name" name="name" required maxlength="40" autocomplete="organization" value="${name}">
  <label for="full_name">Your name</label>
  <input id="full_name" name="full_name" required minlength="2" maxlength="100" autocomplete="name" value="${full_name}">
  <label for="email">Your e-mail address</label>
  <input id="email" name="email" type="email" required autocomplete="email" value="${email}">
  <label for="password">A password, at least six characters</label>
  <input id="password" name="password" type="password" required minlength="6" autocomplete="new-password">
  <button>Begin</button>
</form>`
}
