import { deploymentOf, type RequestSource } from '../../core/call.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Sql } from '../../core/sql.ts'
import { hasSessionBy } from '../../store/browser-sessions/browser-session-rows.ts'
import {
  findLoginProvider,
  type LoginProvider,
  listLoginIdentities,
  listLoginProviders,
} from '../../store/login-providers/login-provider-rows.ts'
import type { AuthenticationMethod } from '../../store/realm/realm-properties.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { listPasskeys } from '../../store/second-factors/second-factor-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { usesSecondFactors } from '../second-factors/second-factor-state.ts'

export const ACCESS_PATH = '/accounts/login/sso/'

/** Cloudflare Access, in the form that clients get. It makes no accounts. */
const ACCESS = {
  name: 'remoteuser',
  display_name: 'Cloudflare Access',
  display_icon: null,
  login_url: ACCESS_PATH,
  signup_url: ACCESS_PATH,
}

/** A method that the organization alone decides on; Access also depends on the deployment. */
type OwnMethod = Exclude<AuthenticationMethod, 'RemoteUser'>

/** Why an allowed method cannot be used, for the organization's settings. */
const NO_PROVIDER = {
  'OpenID Connect': 'No OpenID Connect provider is set up for this organization.',
  GitHub: 'GitHub is not set up for this organization.',
} as const

interface PresentedMethod {
  readonly enabled: boolean
  readonly available: boolean
  readonly unavailable_reason?: string
}

/**
 * Returns the server's methods, and which of them can be used: those with providers need one. Cloudflare Access is
 * included where the deployment has it (docs/interface/register.md#settings-of-the-organization-in-it).
 */
export function presentAuthenticationMethods(
  sql: Sql,
  source: Pick<RequestSource, 'deployment'>,
): Record<string, PresentedMethod> {
  const { RemoteUser, ...own } = realmProperty(sql, 'authentication_methods')
  const methods = Object.fromEntries(
    Object.entries(own).map(([name, isAllowed]): [string, PresentedMethod] => {
      const method = name as OwnMethod
      if (hasWhatItNeeds(sql, method)) return [name, { enabled: isAllowed, available: true }]
      const unavailable_reason = NO_PROVIDER[method as keyof typeof NO_PROVIDER]
      return [name, { enabled: false, available: false, unavailable_reason }]
    }),
  )
  if (!deploymentOf(source).hasAccess) return methods
  return { ...methods, RemoteUser: { enabled: RemoteUser, available: true } }
}

/** Whether people can log in with a method: it is allowed, and has a provider if it needs one. */
export function isMethodOn(sql: Sql, method: OwnMethod): boolean {
  return realmProperty(sql, 'authentication_methods')[method] && hasWhatItNeeds(sql, method)
}

/** Whether people can log in with Cloudflare Access: the deployment has it, and the organization allows it. */
export function isAccessOn(sql: Sql, source: Pick<RequestSource, 'deployment'>): boolean {
  return deploymentOf(source).hasAccess && realmProperty(sql, 'authentication_methods').RemoteUser
}

function hasWhatItNeeds(sql: Sql, method: OwnMethod): boolean {
  if (!Object.hasOwn(NO_PROVIDER, method)) return true
  return listLoginProviders(sql).some((provider) => provider.isEnabled && methodOf(provider) === method)
}

function methodOf({ preset }: Pick<LoginProvider, 'preset'>): keyof typeof NO_PROVIDER {
  return preset === 'github' ? 'GitHub' : 'OpenID Connect'
}

/** Whether people can log in with a provider. */
export function isProviderOn(sql: Sql, provider: LoginProvider): boolean {
  return provider.isEnabled && realmProperty(sql, 'authentication_methods')[methodOf(provider)]
}

/** The log-in page of the server, for apps that cannot ask for a second factor themselves. */
const LOGIN_PAGE = {
  name: 'web',
  display_name: 'Log in with browser',
  display_icon: null,
  login_url: '/accounts/login/',
  signup_url: '/accounts/login/',
}

/** Returns the ways to log in that clients show: providers, Access, and our page where users have second factors. */
export function presentExternalMethods(sql: Sql, source: Pick<RequestSource, 'deployment'>) {
  const providers = listLoginProviders(sql)
    .filter((provider) => isProviderOn(sql, provider))
    .map((provider) => ({
      name: `oidc:${provider.slug}`,
      display_name: provider.displayName,
      display_icon: provider.iconUrl,
      // Apps replace the query of these addresses, so nothing may be in it.
      login_url: `/accounts/login/social/${provider.slug}`,
      signup_url: `/accounts/register/social/${provider.slug}`,
    }))
  const access = isAccessOn(sql, source) ? [ACCESS] : []
  const page = isMethodOn(sql, 'Email') && usesSecondFactors(sql) ? [LOGIN_PAGE] : []
  return [...providers, ...access, ...page]
}

/** Whether a provider makes people log in again on request: GitHub and Google do not. */
export function asksAgain({ preset }: Pick<LoginProvider, 'preset'>): boolean {
  return preset !== 'github' && preset !== 'google'
}

/** Returns the providers that are on and connected to the account. */
export function providersOf(sql: Sql, userId: number): LoginProvider[] {
  return listLoginIdentities(sql, userId).flatMap(({ providerId }) => {
    const provider = findLoginProvider(sql, providerId)
    return provider && isProviderOn(sql, provider) ? [provider] : []
  })
}

/**
 * Requires, after a change of the ways to log in, that there is still one, and that it works for the owner who made the change, so that
 * they cannot lock out all owners. Where passwords are off, passkeys do not count: they belong to accounts that log in here.
 * @throws BadRequestError
 */
export function requireLoginMethod(
  sql: Sql,
  ownerId: number,
  source: Pick<RequestSource, 'deployment'>,
): void {
  const hasAccess = isAccessOn(sql, source)
  const { RemoteUser: _, ...own } = realmProperty(sql, 'authentication_methods')
  if (!hasAccess && !Object.keys(own).some((method) => isMethodOn(sql, method as OwnMethod))) {
    throw new BadRequestError('At least one authentication method must be enabled.')
  }
  if (own.Email || providersOf(sql, ownerId).length > 0) return
  if (hasAccess && hasSessionBy(sql, ownerId, 'access')) return
  throw new BadRequestError(
    'Log in once with a provider that stays on before you turn off logging in by password, so that you are not locked out.',
  )
}

/** A way to log in to an account. A provider or passkey is named by its id. */
type LoginMethod = 'password' | `provider ${number}` | `passkey ${number}`

/** Requires that the account's owner can still log in without one of the ways. @throws BadRequestError */
export function requireOtherLoginMethod(sql: Sql, userId: number, ending: LoginMethod): void {
  const all = loginMethods(sql, userId)
  // A way that does not work now may be removed.
  if (!all.includes(ending) || all.some((way) => way !== ending)) return
  throw new BadRequestError(
    'This is your only way to log in. Set a password, add a passkey or connect another account first.',
  )
}

/** Lists the ways to log in to the account: providers and, where the server itself logs people in, the password and passkeys that need no password. */
function loginMethods(sql: Sql, userId: number): LoginMethod[] {
  const ways = providersOf(sql, userId).map(({ id }): LoginMethod => `provider ${id}`)
  if (!isMethodOn(sql, 'Email')) return ways
  if (findUser(sql, userId)?.passwordHash != null) ways.push('password')
  for (const { id, isVerified } of listPasskeys(sql, userId)) if (isVerified) ways.push(`passkey ${id}`)
  return ways
}
