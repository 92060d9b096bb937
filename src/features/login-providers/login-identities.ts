import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { NotFoundError } from '../../core/errors.ts'
import { isProviderOn, requireOtherWayIn } from '../../model/login-providers/login-methods.ts'
import {
  deleteLoginIdentity,
  listLoginIdentities,
  listLoginProviders,
} from '../../store/login-providers/login-provider-rows.ts'

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
