import type { Command, ReadCommand } from '../../core/command.ts'
import { BadRequestError, NotFoundError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { Caller } from '../caller.ts'
import { announceProperty } from '../realm/announce-realm-change.ts'
import { deleteLoginIdentitiesAt } from './login-identity-rows.ts'
import { presentAuthenticationMethods, requireWayIn } from './login-methods.ts'
import {
  deleteLoginProvider,
  findLoginProvider,
  findLoginProviderAt,
  insertLoginProvider,
  type LoginProvider,
  listLoginProviders,
  MAX_LOGIN_PROVIDERS,
  type ProviderPreset,
  type TokenAuth,
  updateLoginProvider,
} from './login-provider-rows.ts'
import { type PresentedLoginProvider, presentLoginProvider } from './present-login-provider.ts'
import { defaultsOf, type EnteredProvider, requireSlug, requireUsable } from './provider-rules.ts'

/** What an owner may say of a provider. What is absent has its default, or stays as it is. */
export interface ProviderParams {
  readonly display_name?: string | undefined
  /** '' for none. */
  readonly icon_url?: string | undefined
  readonly issuer?: string | undefined
  readonly client_id?: string | undefined
  /** Sealed, unless the call is rehearsed; '' for none. */
  readonly client_secret?: string | undefined
  readonly token_auth?: TokenAuth | undefined
  readonly scopes?: string | undefined
  readonly is_enabled?: boolean | undefined
  readonly auto_signup?: boolean | undefined
  readonly trusts_email?: boolean | undefined
  readonly groups_claim?: string | undefined
  readonly group_map?: Record<string, number> | undefined
  readonly role_claim?: string | undefined
  readonly role_map?: Record<string, number> | undefined
}

type NewProviderParams = ProviderParams & { readonly preset: ProviderPreset; readonly slug: string }
type NamedProvider = { readonly provider_id: number }

/** Lists the providers. Source: docs/interface/login-providers.md#list. */
export const getLoginProviders: ReadCommand<
  Caller,
  unknown,
  void,
  { login_providers: PresentedLoginProvider[] }
> = {
  reads: true,
  apply: ({ sql }, { source }) => ({
    login_providers: listLoginProviders(sql).map((provider) => presentLoginProvider(provider, source)),
  }),
}

/** Makes a provider. Source: docs/interface/login-providers.md#make-and-change. */
export const createLoginProvider: Command<Caller, NewProviderParams, void, PresentedLoginProvider> = {
  apply(tx, { source }, { preset, slug, ...params }) {
    const { sql } = tx
    requireSlug(slug)
    if (findLoginProviderAt(sql, slug)) {
      throw new BadRequestError('There is a provider with this name in addresses already.')
    }
    if (listLoginProviders(sql).length >= MAX_LOGIN_PROVIDERS) {
      throw new BadRequestError(`An organization can have ${MAX_LOGIN_PROVIDERS} log-in providers.`)
    }
    const entered = withParams(defaultsOf(preset, hasSecret(params)), params)
    requireUsable(sql, source, preset, entered)
    const id = announcing(tx, () => insertLoginProvider(sql, { ...entered, slug, preset }))
    return presentLoginProvider(findLoginProvider(sql, id)!, source)
  },
}

/** Changes a provider. At another issuer its people are others, so nobody stays connected. Source: docs/interface/login-providers.md#make-and-change. */
export const updateLoginProviderCommand: Command<
  Caller,
  NamedProvider & ProviderParams,
  void,
  PresentedLoginProvider
> = {
  apply(tx, { user, source }, { provider_id, ...params }) {
    const { sql } = tx
    const present = requireLoginProvider(sql, provider_id)
    const changed = { ...present, ...withParams(present, params) }
    requireUsable(sql, source, present.preset, changed)
    announcing(tx, () => {
      updateLoginProvider(sql, changed)
      if (changed.issuer !== present.issuer) deleteLoginIdentitiesAt(sql, provider_id)
      if (changed.issuer !== present.issuer || !changed.isEnabled) requireWayIn(sql, user.id, source)
    })
    return presentLoginProvider(changed, source)
  },
}

/** Removes a provider, and with it who people are there. Source: docs/interface/login-providers.md#remove. */
export const removeLoginProvider: Command<Caller, NamedProvider, void, object> = {
  apply(tx, { user, source }, { provider_id }) {
    requireLoginProvider(tx.sql, provider_id)
    announcing(tx, () => {
      deleteLoginIdentitiesAt(tx.sql, provider_id)
      deleteLoginProvider(tx.sql, provider_id)
      requireWayIn(tx.sql, user.id, source)
    })
    return {}
  },
}

/** Returns a provider to the Worker, which tests it. */
export const testLoginProvider: ReadCommand<Caller, NamedProvider, void, LoginProvider> = {
  reads: true,
  apply: ({ sql }, _caller, { provider_id }) => requireLoginProvider(sql, provider_id),
}

function requireLoginProvider(sql: Sql, id: number): LoginProvider {
  const provider = findLoginProvider(sql, id)
  if (!provider) throw new NotFoundError('Invalid log-in provider')
  return provider
}

/** Makes a change, after which clients learn which methods there are, if those are others. */
function announcing<Value>(tx: RealmTransaction, change: () => Value): Value {
  const before = JSON.stringify(presentAuthenticationMethods(tx.sql))
  const value = change()
  if (JSON.stringify(presentAuthenticationMethods(tx.sql)) !== before) {
    announceProperty(tx, 'authentication_methods')
  }
  return value
}

function hasSecret({ client_secret = '' }: ProviderParams): boolean {
  return client_secret !== ''
}

function withParams(present: EnteredProvider, params: ProviderParams): EnteredProvider {
  const { client_secret, icon_url } = params
  return {
    displayName: params.display_name?.trim() ?? present.displayName,
    iconUrl: icon_url === undefined ? present.iconUrl : icon_url.trim() || null,
    issuer: params.issuer?.trim() || present.issuer,
    clientId: params.client_id?.trim() ?? present.clientId,
    clientSecret: client_secret === undefined ? present.clientSecret : client_secret || null,
    tokenAuth: params.token_auth ?? present.tokenAuth,
    scopes: params.scopes?.trim().replaceAll(/\s+/g, ' ') || present.scopes,
    isEnabled: params.is_enabled ?? present.isEnabled,
    autoSignup: params.auto_signup ?? present.autoSignup,
    trustsEmail: params.trusts_email ?? present.trustsEmail,
    groupsClaim: params.groups_claim?.trim() ?? present.groupsClaim,
    groupMap: params.group_map ?? present.groupMap,
    roleClaim: params.role_claim?.trim() ?? present.roleClaim,
    roleMap: params.role_map ?? present.roleMap,
  }
}
