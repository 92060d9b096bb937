import type { FinishedLogin } from '../../../store/users/login/login-ticket-rows.ts'
import { cookiesOf, makeKnown } from '../../request/browser-session.ts'
import { type Environment, originAt } from '../../request/environment.ts'
import { connectAfterLogin } from './connect-after-login.ts'
import { respondForDesktopApp } from './desktop-page.ts'
import { asksForJson, redirectWith, showRecoveryCodes, successWith } from './login-answers.ts'
import { encryptWithPad, type LoginUnderWay } from './login-end.ts'
import { respondSecondFactor } from './second-factor-page.ts'

/**
 * Answers a login that the object has completed, through any door: redirects to a page of this browser or back to the app, or shows what
 * the desktop app reads. If the second factor is missing, it asks for that. `recoveryCodes`: of one that was just set up.
 */
export async function respondFinished(
  request: Request,
  env: Environment,
  underWay: LoginUnderWay,
  finished: FinishedLogin,
  recoveryCodes: readonly string[] = [],
): Promise<Response> {
  if (finished.kind === 'second factor') {
    return respondSecondFactor(request, env, underWay.destination, finished)
  }
  const answer = await respondIn(request, env, underWay, finished, recoveryCodes)
  const response = await connectAfterLogin(request, env, underWay.destination, finished.user_id, answer)
  return makeKnown(response, request, env, finished.user_id)
}

async function respondIn(
  request: Request,
  env: Environment,
  { destination, session }: LoginUnderWay,
  finished: Exclude<FinishedLogin, { kind: 'second factor' }>,
  recoveryCodes: readonly string[],
): Promise<Response> {
  const url = new URL(request.url)
  if (finished.kind === 'app' && destination.kind === 'app') {
    const address = appAddress(originAt(url, env), finished, destination.pad)
    return recoveryCodes.length > 0 ? showRecoveryCodes(request, recoveryCodes, address) : toApp(address)
  }
  if (destination.kind === 'desktop') {
    return respondForDesktopApp(request, destination.key, session.token, recoveryCodes)
  }
  const cookies = await cookiesOf(session, url)
  if (asksForJson(request))
    return successWith(cookies, recoveryCodes.length > 0 ? { recovery_codes: recoveryCodes } : {})
  const next = destination.kind === 'session' ? destination.next : '/'
  return recoveryCodes.length > 0
    ? showRecoveryCodes(request, recoveryCodes, next, cookies)
    : redirectWith(next, cookies)
}

function toApp(address: string): Response {
  return new Response(null, {
    status: 302,
    headers: { Location: address, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
  })
}

/** Returns the address that opens the app again. Apps know the scheme by this name. */
function appAddress(
  origin: string,
  { api_key, email, user_id }: FinishedLogin & { kind: 'app' },
  pad: string,
): string {
  const answer = new URLSearchParams({
    realm: origin,
    email,
    user_id: String(user_id),
    otp_encrypted_api_key: encryptWithPad(api_key, pad),
  })
  return `zulip://login?${answer}`
}
