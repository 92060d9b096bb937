import * as v from 'valibot'
import { changesIn } from '../../api/audit-notes.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean } from '../../api/parameter-types.ts'
import { createScimToken, deleteScimToken, getScimToken, updateScimToken } from './manage-scim-token.ts'

const PATH = '/scim_token'

const managesOwners = v.optional(
  v.pipe(
    jsonBoolean,
    v.description(
      'Whether the identity provider may make and reactivate owners, and change their roles and addresses. It never may with the last owner.',
    ),
  ),
)

const endFormer = v.optional(
  v.pipe(
    jsonBoolean,
    v.description('Whether the token before this one ends at once. By default it is valid for seven days.'),
  ),
)

const provisioning = {
  base_url: v.string(),
  scim_token: v.nullable(
    v.object({
      date_created: v.number(),
      creator_id: v.number(),
      last_used: v.nullable(v.number()),
      manages_owners: v.boolean(),
      former_valid_until: v.nullable(v.number()),
      former_last_used: v.nullable(v.number()),
    }),
  ),
}

/** Gets the address for an identity provider, and facts about its token. Source: docs/interface/administration.md#provisioning. */
export const getScimTokenEndpoint = defineEndpoint({
  operation: 'get-scim-token',
  method: 'GET',
  path: PATH,
  access: 'owner',
  params: {},
  returns: v.object(provisioning),
  command: getScimToken,
})

/** Makes a token, or another one in its place. Parley's own. */
export const createScimTokenEndpoint = defineEndpoint({
  operation: 'create-scim-token',
  method: 'POST',
  path: PATH,
  access: 'owner',
  needsProof: true,
  params: { manages_owners: managesOwners, end_former: endFormer },
  returns: v.object({ token: v.string(), ...provisioning }),
  command: createScimToken,
  audit: ({ value: { scim_token } }) => ({
    action: 'scim_token_created',
    details: {
      manages_owners: scim_token?.manages_owners === true,
      former_valid_until: scim_token?.former_valid_until ?? null,
    },
  }),
  // A token that was never used is replaced, and the one in use stays.
  idempotency: 'harmless',
})

/** Changes what the token may do, or ends the one before it. Parley's own. */
export const updateScimTokenEndpoint = defineEndpoint({
  operation: 'update-scim-token',
  method: 'PATCH',
  path: PATH,
  access: 'owner',
  needsProof: true,
  params: { manages_owners: managesOwners, end_former: endFormer },
  returns: v.object(provisioning),
  command: updateScimToken,
  audit: ({ params }) => ({ action: 'scim_token_changed', details: changesIn(params) }),
})

/** Removes the token and the one before it: provisioning ends. Parley's own. */
export const deleteScimTokenEndpoint = defineEndpoint({
  operation: 'delete-scim-token',
  method: 'DELETE',
  path: PATH,
  access: 'owner',
  needsProof: true,
  params: {},
  returns: v.object({}),
  command: deleteScimToken,
  audit: () => ({ action: 'scim_token_deleted', details: {} }),
})
