import * as v from 'valibot'
import { defineEndpoint, defineStep } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { entered } from '../../api/step-types.ts'
import { NotFoundError } from '../../core/errors.ts'
import { mailCredentialChange } from '../../model/emails/account-mails.ts'
import { requireProviderOn } from '../../model/login-providers/find-login-provider.ts'
import { isProviderOn, requireOtherWayIn } from '../../model/login-providers/login-methods.ts'
import { hasIdentityAt, type ProviderRefusal } from '../../model/login-providers/proven-person.ts'
import { noteProof, noteSessionAt } from '../../store/browser-sessions/browser-session-rows.ts'
import {
  deleteLoginIdentity,
  findLoginIdentity,
  insertLoginIdentity,
  listLoginIdentities,
  listLoginProviders,
} from '../../store/login-providers/login-provider-rows.ts'
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
    requireOtherWayIn(sql, user.id, `provider ${identity.providerId}`)
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
    const { subject } = params
    const provider = requireProviderOn(tx.sql, params)
    const identity = findLoginIdentity(tx.sql, provider.id, subject)
    if (identity) return { refused: identity.userId === user.id ? null : 'other_person' }
    if (hasIdentityAt(tx.sql, provider, user)) return { refused: 'other_identity' }
    insertLoginIdentity(tx.sql, { providerId: provider.id, subject, userId: user.id, madeAt: tx.now })
    mailCredentialChange(tx, user, source, 'loginConnected')
    return { refused: null }
  },
  audit: ({ params: { provider_id }, value, actorId }) =>
    value.refused === null
      ? { action: 'login_identity_connected', details: { user_id: actorId, provider_id } }
      : refusedAt(provider_id, value.refused),
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
