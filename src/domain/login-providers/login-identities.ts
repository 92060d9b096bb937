import type { Command, ReadCommand } from '../../core/command.ts'
import { BadRequestError, NotFoundError } from '../../core/errors.ts'
import type { Sql } from '../../core/sql.ts'
import type { Caller } from '../caller.ts'
import { deleteLoginIdentity, type LoginIdentity, listLoginIdentities } from './login-identity-rows.ts'
import { canLogInByPassword, isProviderOn, providersOf } from './login-methods.ts'
import { findLoginProvider, listLoginProviders } from './login-provider-rows.ts'

/** A provider, for somebody who wants to know whether it knows their account. */
export interface PresentedIdentity {
  /** Null where it does not know it. */
  readonly id: number | null
  readonly provider_slug: string
  readonly display_name: string
  readonly icon_url: string | null
  /** UNIX seconds; null where it does not know the account. */
  readonly connected_at: number | null
}

/** Lists the providers that are on, and who the caller is there. Source: docs/interface/login-providers.md#connected-accounts. */
export const getLoginIdentities: ReadCommand<
  Caller,
  unknown,
  void,
  { login_identities: PresentedIdentity[] }
> = {
  reads: true,
  apply({ sql }, { user }) {
    const own = new Map(listLoginIdentities(sql, user.id).map((identity) => [identity.providerId, identity]))
    return {
      login_identities: listLoginProviders(sql)
        .filter((provider) => own.has(provider.id) || isProviderOn(sql, provider))
        .map(({ id, slug, displayName, iconUrl }) => ({
          id: own.get(id)?.id ?? null,
          provider_slug: slug,
          display_name: displayName,
          icon_url: iconUrl,
          connected_at: own.get(id)?.madeAt ?? null,
        })),
    }
  },
}

/** Ends the connection of the caller's account with a provider. Source: docs/interface/login-providers.md#connected-accounts. */
export const removeLoginIdentity: Command<Caller, { readonly identity_id: number }, void, object> = {
  apply({ sql }, { user }, { identity_id }) {
    const identity = listLoginIdentities(sql, user.id).find(({ id }) => id === identity_id)
    if (!identity) throw new NotFoundError('Invalid connected account')
    requireOtherWayIn(sql, identity)
    deleteLoginIdentity(sql, identity.id)
    return {}
  },
}

/** @throws BadRequestError where nobody could log in to the account without this identity. */
function requireOtherWayIn(sql: Sql, { userId, providerId }: LoginIdentity): void {
  const provider = findLoginProvider(sql, providerId)
  const isInUse = provider !== undefined && isProviderOn(sql, provider)
  const others = providersOf(sql, userId).filter(({ id }) => id !== providerId)
  if (!isInUse || others.length > 0 || canLogInByPassword(sql, userId)) return
  throw new BadRequestError(
    'This is your only way to log in. Set a password or connect another account first.',
  )
}
