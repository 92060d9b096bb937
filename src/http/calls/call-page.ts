import { ApiError, BadRequestError } from '../../core/errors.ts'
import { type CallGuest, enterCallStep } from '../../features/calls/calls.ts'
import { askRealm } from '../ask-realm.ts'
import { sessionOf } from '../browser-session.ts'
import type { Environment } from '../environment.ts'
import { findRealm } from '../find-realm.ts'
import { respondRefusal } from '../pages/door-page.ts'
import { textsOfRequest } from '../pages/door-texts/texts-of-request.ts'
import { redirectWith } from '../pages/log-in/login-answers.ts'
import { LOGIN_PATH } from '../pages/log-in/login-end.ts'
import type { PageRequest } from '../request-url.ts'
import { retryLater } from '../respond.ts'
import { enterMeeting, readLink } from './big-blue-button.ts'
import { bigBlueButtonSettings } from './call-settings.ts'

/**
 * GET /calls/bigbluebutton/join: leads a logged-in browser into the call, and any other to the login page first. Source:
 * docs/interface/organization.md#calls.
 */
export function enterCall(request: PageRequest, env: Environment): Promise<Response> {
  return onPage(request, textsOfRequest(request).call.title, async () => {
    const settings = bigBlueButtonSettings(env)
    if (!settings) throw new BadRequestError('BigBlueButton is not configured on this server.')
    const url = new URL(request.url)
    const realm = await findRealm(env.DB, url)
    const session = await sessionOf(request)
    if (!session || !realm) return leadToLogin(url)
    const asked = await askRealm(request, env, enterCallStep.operation, {}, { session })
    if (!asked.ok && asked.error.status === 401) return leadToLogin(url)
    if (!asked.ok) throw ApiError.fromWire(asked.error)
    const call = readLink(settings, realm.id, url.searchParams)
    return redirectWith(await enterMeeting(settings, call, asked.value as CallGuest), [])
  })
}

/** Answers with a page. A refusal becomes a page with this title. */
export async function onPage(
  request: PageRequest,
  title: string,
  respond: () => Promise<Response>,
): Promise<Response> {
  try {
    return await respond()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return retryLater(respondRefusal(textsOfRequest(request), title, error.toWire()), error)
  }
}

/** Redirects to the login page, which leads back here. */
export function leadToLogin({ pathname, search }: URL): Response {
  return redirectWith(`${LOGIN_PATH}/?${new URLSearchParams({ next: pathname + search })}`, [])
}
