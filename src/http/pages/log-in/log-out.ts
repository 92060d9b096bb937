import { ApiError, BadRequestError, CsrfError } from '../../../core/errors.ts'
import { fromJson, type JsonText, jsonText } from '../../../core/json.ts'
import { openSecret, sealSecret } from '../../../core/sealed-secret.ts'
import {
  type EndedSession,
  endBrowserSessionStep,
} from '../../../features/browser-sessions/browser-sessions.ts'
import { respondRefusal } from '../../html/auth-page.ts'
import { textsOfRequest } from '../../html/texts-of-request.ts'
import { askRealm, readForm } from '../../operations/ask-realm.ts'
import { logoutAddressAt } from '../../providers/ask-provider.ts'
import {
  cookieBelow,
  cookieBelowSet,
  endedCookies,
  requireOwnPage,
  type SessionOfBrowser,
  sessionOf,
} from '../../request/browser-session.ts'
import type { Environment } from '../../request/environment.ts'
import { findRealm } from '../../request/find-realm.ts'
import type { PageRequest } from '../../request/request-url.ts'
import { isDesktopApp } from './desktop-page.ts'
import { asksForJson, redirectWith, refuseAsJson, successWith } from './login-answers.ts'
import { LOGIN_PATH } from './login-end.ts'

export const LOGOUT_PATH = '/accounts/logout'

/**
 * POST /accounts/logout/: ends the browser's session, and leads to the end of the one at the provider, where its owner wants that. Source:
 * docs/interface/browsers.md#sessions; docs/interface/login.md#log-out-at-the-provider.
 */
export async function logOut(request: PageRequest, env: Environment): Promise<Response> {
  const { csrfmiddlewaretoken } = await readForm(request, ['csrfmiddlewaretoken'])
  const session = await sessionOf(request)
  let elsewhere: string | null = null
  if (session) {
    try {
      await requireOwnPage(request, session, csrfmiddlewaretoken)
    } catch (error) {
      if (!(error instanceof CsrfError)) throw error
      return refuseLogout(request, error)
    }
    const ended = await askRealm(request, env, endBrowserSessionStep.operation, { digest: session.digest })
    if (!ended.ok) return refuseLogout(request, ApiError.fromWire(ended.error))
    elsewhere = await addressElsewhere(request, env, session, ended.value as EndedSession)
  }
  const url = new URL(request.url)
  const cookies = [...endedCookies(url), cookieBelowSet(url, ID_TOKEN, '', 0)]
  if (asksForJson(request)) return successWith(cookies, { provider_logout_url: elsewhere })
  return redirectWith(elsewhere ?? `${LOGIN_PATH}/`, cookies)
}

function refuseLogout(request: PageRequest, error: ApiError): Response {
  if (asksForJson(request)) return refuseAsJson(request, error)
  const texts = textsOfRequest(request)
  return respondRefusal(texts, texts.logOut.title, { msg: error.message, status: error.status })
}

/** Returns the address at which the provider ends its own session; null without one. The desktop app has none: that is in the browser. */
async function addressElsewhere(
  request: Request,
  env: Environment,
  session: SessionOfBrowser,
  { provider }: EndedSession,
): Promise<string | null> {
  if (!provider || isDesktopApp(request)) return null
  const kept = await keptIdToken(request, env)
  const isOfSession = kept?.digest === session.digest
  return logoutAddressAt({ provider, env, url: new URL(request.url) }, isOfSession ? kept.idToken : null)
}

/**
 * The ID token with which a session began: providers want it back, and end without a further question what it names. Only the browser has it,
 * sealed, and sends it nowhere else. Providers sign much about some people: without room in a cookie they are asked there.
 */
const ID_TOKEN = { name: 'id_token', path: LOGOUT_PATH } as const
/** Browsers keep no cookie of more than 4,096 bytes. */
const MAX_LENGTH = 4_000

interface KeptIdToken {
  /** Of the session that began with it. */
  readonly digest: string
  readonly idToken: string
}

/** Keeps the ID token in the browser whose session it has begun. */
export async function keepIdToken(
  response: Response,
  request: Request,
  env: Environment,
  kept: KeptIdToken,
): Promise<Response> {
  const sealed = await sealSecret(env, await placeOf(request, env), jsonText(kept))
  const cookie =
    sealed.length <= MAX_LENGTH ? cookieBelowSet(new URL(request.url), ID_TOKEN, sealed) : undefined
  if (cookie !== undefined) response.headers.append('Set-Cookie', cookie)
  return response
}

async function keptIdToken(request: Request, env: Environment): Promise<KeptIdToken | undefined> {
  const sealed = cookieBelow(request, ID_TOKEN)
  if (sealed === undefined) return undefined
  try {
    return fromJson((await openSecret(env, await placeOf(request, env), sealed)) as JsonText<KeptIdToken>)
  } catch (error) {
    // Invented, or sealed with a key that the deployment no longer has.
    if (error instanceof BadRequestError) return undefined
    throw error
  }
}

async function placeOf(request: Request, { DB }: Environment) {
  const realm = await findRealm(DB, new URL(request.url))
  return { realmId: realm?.id ?? 0, purpose: 'session at a provider' } as const
}
