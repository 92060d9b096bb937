import { ApiError, NetworkError } from './errors.ts'
import { askForPasskey } from './passkeys.ts'

/** Requests before there is a session. */

export interface OrganizationAtLogin {
  readonly name: string
  /** HTML made by the server. */
  readonly description: string
  readonly icon: string
  /** Whether something of it can be read without an account, at `/public`. */
  readonly isOpenToTheWeb: boolean
  readonly hasPassword: boolean
  readonly otherWays: readonly OtherWay[]
}

/** A log-in at another site, which returns to this page. */
export interface OtherWay {
  readonly display_name: string
  readonly login_url: string
}

export interface PersonAtLogin {
  readonly email: string
  readonly full_name: string
  readonly role: number
}

export async function lookAtOrganization(): Promise<OrganizationAtLogin> {
  const found = await ask('/api/v1/server_settings', 'GET')
  return {
    name: String(found.realm_name),
    description: String(found.realm_description ?? ''),
    icon: String(found.realm_icon ?? ''),
    isOpenToTheWeb: found.realm_web_public_access_enabled === true,
    hasPassword: found.email_auth_enabled !== false,
    otherWays: loginMethods(found.external_authentication_methods),
  }
}

/** The page itself is a way too, for phones. */
function loginMethods(methods: unknown): OtherWay[] {
  return ((methods ?? []) as OtherWay[]).filter(({ login_url }) => login_url !== '/accounts/login/')
}

/** Lists people as whom anyone may log in with a click; empty except on a development server. */
export async function peopleAtLogin(): Promise<PersonAtLogin[]> {
  if (!isLocal()) return []
  try {
    return (await ask('/dev/people', 'GET')).people as PersonAtLogin[]
  } catch {
    return []
  }
}

/** The second step of a log-in, after the password. */
export interface SecondStep {
  /** Says that the password was right. */
  readonly ticket: string
  readonly must_set_up: boolean
  readonly has_passkey: boolean
  /** The data for setting up an app, if that is required. */
  readonly totp?: { readonly secret: string; readonly qr_code: string }
}

/**
 * Logs in with a password; returns the second step, if there is one.
 * @throws ApiError, NetworkError
 */
export async function logIn(username: string, password: string): Promise<SecondStep | undefined> {
  const answer = await ask('/accounts/login/', 'POST', { username, password })
  return answer.second_factor as SecondStep | undefined
}

/**
 * Ends a log-in with a code; returns recovery codes, if an app was set up.
 * @throws ApiError, NetworkError
 */
export async function enterCode(ticket: string, code: string): Promise<readonly string[]> {
  const answer = await ask('/accounts/login/second-factor/', 'POST', { ticket, code })
  return (answer.recovery_codes as readonly string[] | undefined) ?? []
}

/**
 * Logs in with a passkey: without a name, or as the second step.
 * @throws ApiError, NetworkError; NoPasskeyError, as if the user cancels
 */
export async function logInWithPasskey(ticket = ''): Promise<undefined> {
  const { options } = await ask('/accounts/login/passkey/options/', 'POST', { ticket })
  const credential = await askForPasskey(options as PublicKeyCredentialRequestOptionsJSON)
  await ask('/accounts/login/passkey/', 'POST', { ticket, credential })
  return undefined
}

/** @throws ApiError, NetworkError */
export async function logInByClick(email: string): Promise<undefined> {
  await ask('/dev/log_in', 'POST', { username: email })
  return undefined
}

/**
 * Ends the session of this browser. Returns the address at which the provider ends its own, if the organization wants that.
 * @throws NetworkError; ApiError where the server may still have the session
 */
export async function logOut(csrfToken: string): Promise<string | undefined> {
  try {
    const answer = await ask('/accounts/logout/', 'POST', { csrfmiddlewaretoken: csrfToken })
    return (answer.provider_logout_url as string | null) ?? undefined
  } catch (error) {
    // The session is over, or the browser has another one: the page that is loaded next shows which.
    if (error instanceof ApiError && error.isRefusal) return undefined
    throw error
  }
}

/** Why the user comes to the door, for the page that is loaded next, which no longer knows their language. */
const NOTICE_KEY = 'notice at the door'

export function noteForAuthPage(notice: string): void {
  sessionStorage.setItem(NOTICE_KEY, notice)
}

/** Returns the notice, once. */
export function takeNotice(): string | undefined {
  const notice = sessionStorage.getItem(NOTICE_KEY) ?? undefined
  sessionStorage.removeItem(NOTICE_KEY)
  return notice
}

/**
 * Whether the page is on this machine, where a development server may run; other servers are not asked.
 */
function isLocal(): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])$|\.localhost$/.test(location.hostname)
}

/** @throws ApiError, whose message is the server's sentence for people in the page's language; NetworkError */
async function ask(
  path: string,
  method: 'GET' | 'POST',
  fields?: Record<string, string>,
): Promise<Record<string, unknown>> {
  const response = await fetch(path, {
    method,
    headers: { Accept: 'application/json', 'Accept-Language': document.documentElement.lang },
    ...(fields ? { body: new URLSearchParams(fields) } : {}),
  }).catch(noAnswer)
  const answer: unknown = await response.json().catch(() => undefined)
  const { result, msg, sentence = msg, code } = (answer ?? {}) as Partial<Record<string, string>>
  if (result !== 'success') throw new ApiError(code ?? 'UNKNOWN', sentence ?? '', response.status)
  return answer as Record<string, unknown>
}

function noAnswer(error: unknown): never {
  throw new NetworkError(error)
}
