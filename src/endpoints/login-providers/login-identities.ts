import * as v from 'valibot'
import { getLoginIdentities, removeLoginIdentity } from '../../domain/login-providers/login-identities.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

export const getLoginIdentitiesEndpoint = defineEndpoint({
  operation: 'get-login-identities',
  method: 'GET',
  path: '/login_identities',
  access: 'human',
  params: {},
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
  command: getLoginIdentities,
})

export const removeLoginIdentityEndpoint = defineEndpoint({
  operation: 'remove-login-identity',
  method: 'DELETE',
  path: '/login_identities/:identity_id',
  access: 'human',
  needsProof: true,
  params: { identity_id: pathInteger },
  returns: v.object({}),
  command: removeLoginIdentity,
  audit: ({ actorId, params: { identity_id } }) => ({
    action: 'settings_changed',
    details: { user_id: actorId, login_identities: 'removed', login_identity_id: identity_id },
  }),
})
