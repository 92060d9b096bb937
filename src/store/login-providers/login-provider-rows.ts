import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

const PROVIDERS = new Rows<LoginProvider>(
  'login_provider',
  'id slug preset display_name icon_url issuer client_id client_secret token_auth scopes is_enabled:flag auto_signup:flag trusts_email:flag takes_picture:flag email_claim ends_session:flag groups_claim group_map:json role_claim role_map:json',
)

/** The presets of providers: the form's first values, and the protocol. All but GitHub speak OpenID Connect. */
export const PROVIDER_PRESETS = [
  'oidc',
  'google',
  'entra',
  'okta',
  'keycloak',
  'gitlab',
  'authentik',
  'github',
] as const
export type ProviderPreset = (typeof PROVIDER_PRESETS)[number]

/** How the server proves itself at the provider's token endpoint. `none`: it has no secret, and relies on PKCE. */
export const TOKEN_AUTHS = ['basic', 'post', 'none'] as const
export type TokenAuth = (typeof TOKEN_AUTHS)[number]

/** The claim for an address that OpenID Connect has: the only one to which `email_verified` belongs. */
export const STANDARD_EMAIL_CLAIM = 'email'

/** A provider at which people log in. The table `login_provider` is owned by this file. */
export interface LoginProvider {
  readonly id: number
  /** Its name in addresses, among them the redirect URI that the provider was given: it never changes. */
  readonly slug: string
  readonly preset: ProviderPreset
  readonly displayName: string
  readonly iconUrl: string | null
  /** The issuer, without a slash at the end unless the provider's own name has one; for GitHub, its address. */
  readonly issuer: string
  readonly clientId: string
  /** Sealed (core/sealed-secret.ts, purpose `login provider`); null for a client without one. */
  readonly clientSecret: string | null
  readonly tokenAuth: TokenAuth
  /** Separated by spaces. */
  readonly scopes: string
  readonly isEnabled: boolean
  /** Whether people without an account get one, if the organization lets their address join. */
  readonly autoSignup: boolean
  /** Whether an address counts as the person's although the provider does not say that it has verified it. */
  readonly trustsEmail: boolean
  /** Whether people who join get the picture that the provider has of them. */
  readonly takesPicture: boolean
  /** The claim with the person's address. */
  readonly emailClaim: string
  /** Whether who logs out here is logged out there too, as far as the provider has an address for that. */
  readonly endsSession: boolean
  /** The claim with the person's groups, and the group here for each of its values; '' for none. */
  readonly groupsClaim: string
  readonly groupMap: Readonly<Record<string, number>>
  /** The claim with the person's role, and the role here for each of its values; '' for none. */
  readonly roleClaim: string
  readonly roleMap: Readonly<Record<string, number>>
}

/** Number of providers of an organization. */
export const MAX_LOGIN_PROVIDERS = 10

/** Lists the providers in the order in which they are shown: that in which they were made. */
export function listLoginProviders(sql: Sql): readonly LoginProvider[] {
  return sql.kept('login providers', () => PROVIDERS.list(sql, `ORDER BY id LIMIT ?`, MAX_LOGIN_PROVIDERS))
}

export function findLoginProvider(sql: Sql, id: number): LoginProvider | undefined {
  return listLoginProviders(sql).find((provider) => provider.id === id)
}

/** Finds a provider by its name in addresses. */
export function findLoginProviderAt(sql: Sql, slug: string): LoginProvider | undefined {
  return listLoginProviders(sql).find((provider) => provider.slug === slug)
}

export function insertLoginProvider(sql: WritableSql, provider: Omit<LoginProvider, 'id'>): number {
  return PROVIDERS.insertNew(sql, provider)
}

/** Stores a provider's present values; slug and preset stay as they were made. */
export function updateLoginProvider(sql: WritableSql, provider: LoginProvider): void {
  const { slug: _, preset: __, ...values } = provider
  PROVIDERS.change(sql, provider.id, values)
}

export function deleteLoginProvider(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM login_provider WHERE id = ?`, id)
}

/** The identity of an account at a provider. The table `login_identity` is owned by this file. */
export interface LoginIdentity {
  readonly id: number
  readonly providerId: number
  /** The provider's own id of the person, which it gives to nobody else. */
  readonly subject: string
  readonly userId: number
  /** UNIX seconds. */
  readonly madeAt: number
  /** UNIX seconds: when the provider last logged the person out everywhere; 0: never. */
  readonly loggedOutAt: number
}

const IDENTITIES = new Rows<LoginIdentity>(
  'login_identity',
  'id provider_id subject user_id made_at logged_out_at',
)

export function findLoginIdentity(sql: Sql, providerId: number, subject: string): LoginIdentity | undefined {
  return IDENTITIES.find(sql, `WHERE provider_id = ? AND subject = ?`, providerId, subject)
}

/** Lists an account's identities, the newest last: at most one at each provider. */
export function listLoginIdentities(sql: Sql, userId: number): LoginIdentity[] {
  return IDENTITIES.list(sql, `WHERE user_id = ? ORDER BY id`, userId)
}

/** Inserts an identity. The caller has checked that neither it nor another one of this account at the provider is there. */
export function insertLoginIdentity(
  sql: WritableSql,
  identity: Omit<LoginIdentity, 'id' | 'loggedOutAt'>,
): number {
  return IDENTITIES.insertNew(sql, { ...identity, madeAt: Math.floor(identity.madeAt) })
}

export function deleteLoginIdentity(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM login_identity WHERE id = ?`, id)
}

export function deleteLoginIdentitiesAt(sql: WritableSql, providerId: number): void {
  sql.run(`DELETE FROM login_identity WHERE provider_id = ?`, providerId)
}

/** Deletes all identities of an account. */
export function deleteLoginIdentitiesOf(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM login_identity WHERE user_id = ?`, userId)
}

/** Records a log-out everywhere. */
export function noteLogoutOf(sql: WritableSql, id: number, at: number): void {
  sql.run(`UPDATE login_identity SET logged_out_at = ? WHERE id = ?`, Math.floor(at), id)
}

/** Notes in which of the provider's sessions an app got the account's key; null where the provider does not say. */
export function noteKeyOfSession(
  sql: WritableSql,
  providerId: number,
  subject: string,
  sid: string | null,
): void {
  sql.run(
    `UPDATE login_identity SET key_sid = ? WHERE provider_id = ? AND subject = ? AND key_sid IS NOT ?1`,
    sid,
    providerId,
    subject,
  )
}

/** Returns whose keys apps got in one of the provider's sessions, at most `limit`, and forgets it. */
export function takeKeysOfSession(
  sql: WritableSql,
  { providerId, sid }: { readonly providerId: number; readonly sid: string },
  limit: number,
): number[] {
  return sql.runForValues(
    `UPDATE login_identity SET key_sid = NULL
       WHERE id IN (SELECT id FROM login_identity WHERE provider_id = ? AND key_sid = ? LIMIT ?)
       RETURNING user_id`,
    providerId,
    sid,
    limit,
  )
}
