import { ApiError, BadRequestError } from '../../core/errors.ts'
import { giveUnreadKeyStep, type UnreadKey } from '../../features/browser-sessions/unread-elsewhere.ts'
import { form, onPage } from '../html/auth-page.ts'
import { html, respondPage } from '../html/html.ts'
import { textsOfRequest } from '../html/texts-of-request.ts'
import { askRealm, readForm } from '../operations/ask-realm.ts'
import { csrfTokenOf, requireOwnPage, type SessionOfBrowser, sessionOf } from '../request/browser-session.ts'
import type { Environment } from '../request/environment.ts'
import { realmElsewhere } from '../request/find-realm.ts'
import type { PageRequest } from '../request/request-url.ts'
import { leadToLogin, redirectWith } from './log-in/login-answers.ts'

/** The address at which another organization's page asks for the number of unread messages here. */
export const UNREAD_PATH = '/accounts/unread'

const STATE = /^[\w-]{1,100}$/

/**
 * GET /accounts/unread/?for=ORIGIN&state=STATE: asks whoever is logged in whether the page of another organization of this deployment may
 * show how many unread messages they have here. Source: docs/interface/browsers.md#unread-messages-elsewhere.
 */
export async function askToShowUnread(request: PageRequest, env: Environment): Promise<Response> {
  return onPage(request, textsOfRequest(request).unread.title, async () => {
    const asking = await askingOf(request, env)
    const session = await sessionOf(request)
    const given = session && (await keyOf(request, env, session))
    if (!given) return leadToLogin(new URL(request.url))
    const texts = textsOfRequest(request)
    const { title, ask, allow } = texts.unread
    const token = html`<input type="hidden" name="csrfmiddlewaretoken" value="${await csrfTokenOf(session)}">`
    const body = html`<p>${ask({ here: given.name, page: asking.host })}</p>
${form(token, allow)}
<p class="auth-links"><a href="${asking.origin}/">${texts.unread.back}</a></p>`
    return respondPage(title, body, 200, {
      language: texts.language,
      formsLeadTo: `'self' ${asking.origin}`,
    })
  })
}

/** POST of the same address: gives the other page the key, in the part of its address that is sent to no server. */
export async function allowToShowUnread(request: PageRequest, env: Environment): Promise<Response> {
  return onPage(request, textsOfRequest(request).unread.title, async () => {
    const { origin, state } = await askingOf(request, env)
    const { csrfmiddlewaretoken } = await readForm(request, ['csrfmiddlewaretoken'])
    const session = await sessionOf(request)
    if (!session) return leadToLogin(new URL(request.url))
    await requireOwnPage(request, session, csrfmiddlewaretoken)
    const given = await keyOf(request, env, session)
    if (!given) return leadToLogin(new URL(request.url))
    const fields = new URLSearchParams({ url: new URL(request.url).origin, state, ...given })
    return redirectWith(`${origin}/#unread?${fields}`, [])
  })
}

/** Returns the key; undefined where the browser is not logged in any more. */
async function keyOf(
  request: PageRequest,
  env: Environment,
  session: SessionOfBrowser,
): Promise<UnreadKey | undefined> {
  const asked = await askRealm(request, env, giveUnreadKeyStep.operation, {}, { session })
  if (asked.ok) return asked.value as UnreadKey
  if (asked.error.status === 401) return undefined
  throw ApiError.fromWire(asked.error)
}

/**
 * Returns the page that asks. It must be that of another organization here: nobody else gets to know whether someone is logged in.
 * @throws BadRequestError
 */
async function askingOf(request: PageRequest, env: Environment) {
  const own = new URL(request.url)
  const [page, state] = [own.searchParams.get('for') ?? '', own.searchParams.get('state') ?? '']
  const asking = STATE.test(state) ? await realmElsewhere(env.DB, page, own) : undefined
  if (!asking) throw new BadRequestError('There is no such organization here.')
  return { origin: asking.url.origin, host: asking.url.host, state }
}
