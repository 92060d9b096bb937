import { call, pages } from './call.ts'

/** Providers at which people log in, and the user's identities there. */

export type ProviderPreset =
  | 'google'
  | 'entra'
  | 'okta'
  | 'keycloak'
  | 'gitlab'
  | 'authentik'
  | 'github'
  | 'oidc'
export type TokenAuth = 'basic' | 'post' | 'none'

export interface LoginProvider {
  readonly id: number
  readonly slug: string
  readonly preset: ProviderPreset
  readonly display_name: string
  readonly icon_url: string | null
  readonly issuer: string
  readonly client_id: string
  readonly has_secret: boolean
  readonly token_auth: TokenAuth
  readonly scopes: string
  readonly is_enabled: boolean
  readonly auto_signup: boolean
  readonly trusts_email: boolean
  readonly takes_picture: boolean
  readonly email_claim: string
  readonly ends_session: boolean
  readonly groups_claim: string
  readonly group_map: Readonly<Record<string, number>>
  readonly role_claim: string
  readonly role_map: Readonly<Record<string, number>>
  readonly redirect_uri: string
  readonly backchannel_logout_uri: string
  readonly post_logout_redirect_uri: string
}

/** The addresses that the provider is told. */
type ToldTo = 'redirect_uri' | 'backchannel_logout_uri' | 'post_logout_redirect_uri'

/** The fields that an owner enters; the secret is only sent, and never returned. */
export type EnteredProvider = Partial<Omit<LoginProvider, 'id' | 'icon_url' | 'has_secret' | ToldTo>> & {
  readonly icon_url?: string
  readonly client_secret?: string
}

export async function loadLoginProviders(): Promise<readonly LoginProvider[]> {
  return (await call('GET', '/login_providers')).login_providers as LoginProvider[]
}

export async function addLoginProvider(entered: EnteredProvider): Promise<void> {
  await call('POST', '/login_providers', entered)
}

export async function changeLoginProvider(id: number, entered: EnteredProvider): Promise<void> {
  await call('PATCH', `/login_providers/${id}`, entered)
}

export async function removeLoginProvider(id: number): Promise<void> {
  await call('DELETE', `/login_providers/${id}`)
}

/** Checks whether a log-in at the provider would work. Returns the problem, or null. */
export async function testLoginProvider(id: number): Promise<string | null> {
  return (await call('POST', `/login_providers/${id}/test`)).problem as string | null
}

export interface LoginIdentity {
  /** Null where the provider does not know the account. */
  readonly id: number | null
  readonly provider_slug: string
  readonly display_name: string
  readonly icon_url: string | null
  /** UNIX seconds. */
  readonly connected_at: number | null
}

export async function loadLoginIdentities(): Promise<readonly LoginIdentity[]> {
  return (await call('GET', '/login_identities')).login_identities as LoginIdentity[]
}

export async function disconnect(id: number): Promise<void> {
  await call('DELETE', `/login_identities/${id}`)
}

/**
 * Starts to connect the user's account with a provider, or to prove the user's identity there. Returns the provider's address, to which the
 * browser has to go; it returns to this view.
 */
export async function beginAtProvider(purpose: 'connect' | 'prove', slug: string): Promise<string> {
  const form = new FormData()
  form.set('purpose', purpose)
  form.set('next', `${location.pathname}${location.hash}`)
  const { url } = await pages.postForm(`/accounts/login/social/${slug}`, form)
  return url as string
}
