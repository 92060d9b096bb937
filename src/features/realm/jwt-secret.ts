import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import type { Command, ReadCommand } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../../model/caller.ts'
import { deleteMeta, readMeta, writeMeta } from '../../store/meta-rows.ts'

/**
 * The secret with which another system of the organization signs tokens that let people in (users/api-keys.ts). Parley's own.
 * Source: docs/interface/login.md#with-a-token-of-another-system.
 */
const path = '/realm/jwt_secret'

/** Least length of the secret: as many characters as the digest that signs has bytes. */
const MIN_SECRET_LENGTH = 32

const getJwtSecret: ReadCommand<Caller, unknown, void, { is_set: boolean }> = {
  reads: true,
  apply: ({ sql }) => ({ is_set: readMeta(sql, 'jwt_secret') !== undefined }),
}

/** `secret`: sealed, unless the call is rehearsed. */
const setJwtSecret: Command<Caller, { readonly secret: string }, void, object> = {
  apply(tx, _caller, { secret }) {
    if (secret.length < MIN_SECRET_LENGTH) {
      throw new BadRequestError('The secret needs at least 32 characters.')
    }
    writeMeta(tx.sql, 'jwt_secret', secret)
    return {}
  },
}

const removeJwtSecret: Command<Caller, unknown, void, object> = {
  apply(tx) {
    deleteMeta(tx.sql, 'jwt_secret')
    return {}
  },
}

export const getJwtSecretEndpoint = defineEndpoint({
  operation: 'get-jwt-secret',
  method: 'GET',
  path,
  access: 'owner',
  params: {},
  returns: v.object({ is_set: v.boolean() }),
  command: getJwtSecret,
})

export const setJwtSecretEndpoint = defineEndpoint({
  operation: 'set-jwt-secret',
  method: 'PUT',
  path,
  access: 'owner',
  needsProof: true,
  params: {
    secret: v.pipe(textUpTo(NAME_LENGTH), v.description('It is stored encrypted, and never shown again.')),
  },
  returns: v.object({}),
  command: setJwtSecret,
  audit: () => ({ action: 'organization_changed', details: { jwt_secret: 'changed' } }),
  async prepare({ secret }, { secrets }) {
    return { secret: await secrets.seal('json web token', secret) }
  },
})

export const removeJwtSecretEndpoint = defineEndpoint({
  operation: 'remove-jwt-secret',
  method: 'DELETE',
  path,
  access: 'owner',
  needsProof: true,
  params: {},
  returns: v.object({}),
  command: removeJwtSecret,
  audit: () => ({ action: 'organization_changed', details: { jwt_secret: 'removed' } }),
})
