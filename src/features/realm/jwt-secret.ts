import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { described, textUpTo } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import { deleteMeta, readMeta, writeMeta } from '../../store/meta-rows.ts'

/** Minimum length of the secret: as many characters as the signing digest has bytes. */
const MIN_SECRET_LENGTH = 32

/**
 * Whether there is a secret with which another system of the organization signs log-in tokens (users/jwt-fetch-api-key.ts). Parley's own. Source:
 * docs/interface/login.md#with-a-token-of-another-system.
 */
export const getJwtSecretEndpoint = defineEndpoint({
  operation: 'get-jwt-secret',
  route: 'GET /realm/jwt_secret',
  access: 'owner',
  returns: v.object({ is_set: v.boolean() }),
  query: ({ sql }) => ({ is_set: readMeta(sql, 'jwt_secret') !== undefined }),
})

/** `secret`: sealed, except in the rehearsal. */
export const setJwtSecretEndpoint = defineEndpoint({
  operation: 'set-jwt-secret',
  route: 'PUT /realm/jwt_secret',
  access: 'owner',
  needsProof: true,
  params: {
    secret: described(textUpTo(NAME_LENGTH), 'It is stored encrypted, and never shown again.'),
  },
  apply(tx, _caller, { secret }: { readonly secret: string }) {
    if (secret.length < MIN_SECRET_LENGTH) {
      throw new BadRequestError('The secret needs at least 32 characters.')
    }
    writeMeta(tx.sql, 'jwt_secret', secret)
  },
  audit: () => ({ action: 'organization_changed', details: { jwt_secret: 'changed' } }),
  async prepare({ secret }, { secrets }) {
    return { secret: await secrets.seal('json web token', secret) }
  },
})

export const removeJwtSecretEndpoint = defineEndpoint({
  operation: 'remove-jwt-secret',
  route: 'DELETE /realm/jwt_secret',
  access: 'owner',
  needsProof: true,
  apply(tx) {
    deleteMeta(tx.sql, 'jwt_secret')
  },
  audit: () => ({ action: 'organization_changed', details: { jwt_secret: 'removed' } }),
})
