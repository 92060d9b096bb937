import * as v from 'valibot'
import { defineEndpoint, defineStep } from '../../api/define-endpoint.ts'
import { integer, pathInteger } from '../../api/parameter-types.ts'
import { entered, inAddress } from '../../api/step-types.ts'
import { NotFoundError } from '../../core/errors.ts'
import {
  connectIdentity,
  connectTokens,
  requireConnection,
} from '../../model/login-providers/ask-to-connect.ts'
import { requireProviderOn } from '../../model/login-providers/find-login-provider.ts'
import { isProviderOn, requireOtherLoginMethod } from '../../model/login-providers/login-methods.ts'
import type { ProviderRefusal } from '../../model/login-providers/proven-person.ts'
import { noteProof, noteSessionAt } from '../../store/browser-sessions/browser-session-rows.ts'
import { closeConfirmations } from '../../store/confirmations/confirmation-rows.ts'
import {
  deleteLoginIdentity,
  findLoginIdentity,
  listLoginIdentities,
  listLoginProviders,
} from '../../store/login-providers/login-provider-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { atHand, refusedAt } from './log-in-with-provider.ts'

/** Lists the enabled providers, and the caller's identity at each. Source: docs/interface/login-providers.md#connected-accounts. */
export const getLoginIdentitiesEndpoint = defineEndpoint({
  operation: 'get-login-identities',
  route: 'GET /login_identities',
  access: 'human',
  returns: v.object({
    login_identities: v.array(
      v.object({
        id: v.nullable(v.number()),
        provider_slug: v.string(),
        display_name: v.string(),
        icon_url: v.nullable(v.string()),
        connected_at: v.nullable(v.number()),
      }),
    ),
  }),
  query({ sql }, { user }) {
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
})

/** Disconnects the caller's account from a provider. Source: docs/interface/login-providers.md#connected-accounts. */
export const removeLoginIdentityEndpoint = defineEndpoint({
  operation: 'remove-login-identity',
  route: 'DELETE /login_identities/:identity_id',
  access: 'human',
  needsProof: true,
  params: { identity_id: pathInteger },
  apply({ sql }, { user }, { identity_id }) {
    const identity = listLoginIdentities(sql, user.id).find(({ id }) => id === identity_id)
    if (!identity) throw new NotFoundError('Invalid connected account')
    requireOtherLoginMethod(sql, user.id, `provider ${identity.providerId}`)
    deleteLoginIdentity(sql, identity.id)
  },
  audit: ({ actorId, params: { identity_id } }) => ({
    action: 'settings_changed',
    details: { user_id: actorId, login_identities: 'removed', login_identity_id: identity_id },
  }),
})

/**
 * Checks that the user may connect the account, before they are sent to the provider. Source: docs/interface/login.md#connect-a-provider.
 */
export const beginConnectingStep = defineStep({
  operation: 'begin-connecting',
  access: 'human',
  needsProof: true,
  query: () => ({}),
  rateLimit: 'user',
  audit: 'read-only',
})

/** Connects a person's identity at a provider to the account that is logged in, so that they can log in with it. */
export const connectLoginIdentityStep = defineStep({
  operation: 'connect-login-identity',
  access: 'human',
  needsProof: true,
  params: { ...atHand, subject: entered },
  apply(tx, { user, source }, params): Connected {
    return { refused: connectIdentity(tx, user, source, params) }
  },
  audit: ({ params: { provider_id }, value, actorId }) =>
    value.refused === null
      ? { action: 'login_identity_connected', details: { user_id: actorId, provider_id } }
      : refusedAt(provider_id, value.refused),
})

/**
 * Connects a person at a provider whose account had been used without it, right after they have logged in to it as before. Source:
 * docs/interface/login.md#an-account-that-has-been-used.
 */
export const connectAfterLoginStep = defineStep({
  operation: 'connect-after-login',
  access: 'anyone',
  params: { ...atHand, subject: entered, user_id: integer },
  apply(tx, { source }, { user_id, ...person }): Connected {
    const user = findUser(tx.sql, user_id)
    return { refused: user?.isActive ? connectIdentity(tx, user, source, person) : 'account_deactivated' }
  },
  audit: ({ params: { provider_id, user_id }, value }) =>
    value.refused === null
      ? { action: 'login_identity_connected', actorId: user_id, details: { user_id, provider_id } }
      : refusedAt(provider_id, value.refused),
})

/** The facts on the page behind a link that connects an account. `name`: of the provider; null for the other system's tokens. */
export interface ShownConnection {
  readonly organization: string
  readonly email: string
  readonly name: string | null
}

export const showConnectionStep = defineStep({
  operation: 'show-connection',
  access: 'anyone',
  params: { secret: inAddress },
  query(view, _anyone, { secret }): ShownConnection {
    const { user, name } = requireConnection(view, secret)
    return { organization: realmProperty(view.sql, 'name'), email: user.deliveryEmail, name }
  },
  audit: 'read-only',
})

/** Connects the account of the user who has opened the link that was mailed to them. */
export const connectByLinkStep = defineStep({
  operation: 'connect-by-link',
  access: 'anyone',
  params: { secret: inAddress },
  apply(tx, { source }, { secret }) {
    const { user, connection, name } = requireConnection(tx, secret)
    if (connection === null) connectTokens(tx, user, source)
    else connectIdentity(tx, user, source, connection)
    closeConfirmations(tx.sql, user.id, 'connection')
    return { name, user_id: user.id, provider_id: connection?.provider_id ?? null }
  },
  audit: ({ value: { user_id, provider_id } }) => ({
    action: 'login_identity_connected',
    actorId: user_id,
    details: { user_id, ...(provider_id === null ? { method: 'jwt' } : { provider_id }) },
  }),
})

/**
 * Records that the logged-in user has just proved their identity again at a provider. Source: docs/interface/login.md#connect-a-provider.
 */
export const proveWithProviderStep = defineStep({
  operation: 'prove-with-provider',
  access: 'human',
  params: { ...atHand, subject: entered, sid: v.nullable(entered) },
  apply(tx, { user, source }, params): Connected {
    const provider = requireProviderOn(tx.sql, params)
    const identity = findLoginIdentity(tx.sql, provider.id, params.subject)
    if (identity?.userId !== user.id) return { refused: 'other_person' }
    if (source.session === undefined) return { refused: null }
    noteProof(tx.sql, source.session, tx.now)
    if (params.sid !== null)
      noteSessionAt(tx.sql, source.session, { providerId: provider.id, sid: params.sid })
    return { refused: null }
  },
  audit: ({ params: { provider_id }, value, actorId }) =>
    value.refused === null
      ? { action: 'identity_proved', details: { user_id: actorId, provider_id } }
      : refusedAt(provider_id, value.refused),
})

export interface Connected {
  /** Null if they are connected. */
  readonly refused: ProviderRefusal | null
}
