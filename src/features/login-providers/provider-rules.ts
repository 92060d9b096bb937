import { deploymentOf, type RequestSource } from '../../core/call.ts'
import { BadRequestError, InvalidParameterValueError } from '../../core/errors.ts'
import { isAllowedTarget } from '../../core/outgoing-target.ts'
import type { Sql } from '../../core/sql.ts'
import { ROLE_VALUES } from '../../rules/roles.ts'
import {
  type LoginProvider,
  type ProviderPreset,
  STANDARD_EMAIL_CLAIM,
  type TokenAuth,
} from '../../store/login-providers/login-provider-rows.ts'
import { findGroup } from '../../store/user-groups/user-group-rows.ts'

/** Defaults for a new provider. An issuer with a part that only the owner knows has no default. */
const PRESETS: Readonly<
  Record<ProviderPreset, { readonly name: string; readonly issuer?: string; readonly tokenAuth?: TokenAuth }>
> = {
  oidc: { name: 'OpenID Connect' },
  google: { name: 'Google', issuer: 'https://accounts.google.com' },
  entra: { name: 'Microsoft' },
  okta: { name: 'Okta' },
  keycloak: { name: 'Keycloak' },
  gitlab: { name: 'GitLab', issuer: 'https://gitlab.com' },
  authentik: { name: 'authentik' },
  github: { name: 'GitHub', issuer: 'https://github.com', tokenAuth: 'post' },
}

const OPENID_SCOPES = 'openid email profile'
const GITHUB_SCOPES = 'read:user user:email'

/** The values that an owner enters. */
export type EnteredProvider = Omit<LoginProvider, 'id' | 'slug' | 'preset'>

/** Returns the default values of a provider of this kind. */
export function defaultsOf(preset: ProviderPreset, hasSecret: boolean): EnteredProvider {
  const { name, issuer = '', tokenAuth = 'basic' } = PRESETS[preset]
  return {
    displayName: name,
    iconUrl: null,
    issuer,
    clientId: '',
    clientSecret: null,
    tokenAuth: hasSecret ? tokenAuth : 'none',
    scopes: preset === 'github' ? GITHUB_SCOPES : OPENID_SCOPES,
    isEnabled: true,
    autoSignup: false,
    trustsEmail: false,
    takesPicture: true,
    emailClaim: STANDARD_EMAIL_CLAIM,
    endsSession: false,
    groupsClaim: '',
    groupMap: {},
    roleClaim: '',
    roleMap: {},
  }
}

const SLUG = /^[a-z0-9-]{1,40}$/

export function requireSlug(slug: string): string {
  if (SLUG.test(slug)) return slug
  throw new BadRequestError(
    'The name in addresses can have only lower-case letters, digits and hyphens, at most 40.',
  )
}

/** @throws BadRequestError if a log-in with the provider could not work. */
export function requireUsable(
  sql: Sql,
  source: RequestSource,
  preset: ProviderPreset,
  provider: EnteredProvider,
): void {
  if (provider.displayName === '') throw new BadRequestError('Enter a name for the button.')
  if (provider.clientId === '')
    throw new BadRequestError('Enter the client ID that the provider has given you.')
  requireIssuer(source, provider.issuer)
  requireIcon(provider.iconUrl)
  requireSecret(preset, provider)
  if (preset !== 'github' && !provider.scopes.split(' ').includes('openid')) {
    throw new BadRequestError('The scopes must contain “openid”.')
  }
  if (preset !== 'github' && provider.emailClaim !== STANDARD_EMAIL_CLAIM && !provider.trustsEmail) {
    throw new BadRequestError(
      'Providers verify only the claim “email”. Trust the addresses of this provider, or take them from “email”.',
    )
  }
  for (const id of Object.values(provider.groupMap)) requireGroup(sql, id)
  for (const role of Object.values(provider.roleMap)) {
    if (!ROLE_VALUES.some((known) => known === role))
      throw new InvalidParameterValueError('role_map', String(role))
  }
}

/** Microsoft's names for all its tenants, whose tokens name a different issuer. */
const ALL_TENANTS = /^\/(common|organizations|consumers)(\/|$)/

function requireIssuer(source: RequestSource, issuer: string): void {
  if (issuer === '') throw new BadRequestError('Enter the address of the provider (its issuer).')
  const hosts = deploymentOf(source).callableHosts
  if (!isPlainAddress(issuer)) {
    throw new BadRequestError(
      'The address of the provider must be complete, like https://login.example.com/path.',
    )
  }
  const url = new URL(issuer)
  if (url.protocol !== 'https:' && !hosts.includes(url.host)) {
    throw new BadRequestError('The address of the provider must begin with https://.')
  }
  if (!isAllowedTarget(issuer, hosts)) {
    throw new BadRequestError('This server may not call the address of the provider: it must be public.')
  }
  if (url.hostname === 'login.microsoftonline.com' && ALL_TENANTS.test(url.pathname)) {
    throw new BadRequestError(
      'This address stands for every Microsoft tenant. Put the ID of your own tenant in its place: https://login.microsoftonline.com/TENANT-ID/v2.0.',
    )
  }
}

/** Whether a URL has only a host and a path. */
function isPlainAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { search, hash, username, password } = new URL(address)
  return `${search}${hash}${username}${password}` === ''
}

function requireIcon(url: string | null): void {
  if (url === null || (URL.canParse(url) && new URL(url).protocol === 'https:')) return
  throw new BadRequestError('The address of the picture must begin with https://.')
}

function requireSecret(preset: ProviderPreset, { tokenAuth, clientSecret }: EnteredProvider): void {
  if (tokenAuth === 'none' && preset === 'github') {
    throw new BadRequestError('GitHub asks for a client secret. Enter it.')
  }
  if (tokenAuth !== 'none' && clientSecret === null) {
    throw new BadRequestError('Enter the client secret, or choose that the client has none.')
  }
  if (tokenAuth === 'none' && clientSecret !== null) {
    throw new BadRequestError('Leave the client secret empty for a client without one.')
  }
}

/** A provider can put people only into groups that users have created. */
function requireGroup(sql: Sql, id: number): void {
  const group = findGroup(sql, id)
  if (!group || group.isSystem || group.isDeactivated) throw new BadRequestError('Invalid user group')
}
