import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { integer, pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { checkNewPasskey, creationOptions } from '../../model/second-factors/in-worker/passkey-answers.ts'
import { credentialDescriptor, newCredential } from './credentials.ts'
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from './passkeys-work.ts'

/** Begins to add a passkey: gives what a browser needs for that, as WebAuthn has it. Parley's own. */
export const beginPasskeyEndpoint = defineEndpoint({
  operation: 'begin-passkey',
  method: 'POST',
  path: '/second_factors/passkeys/options',
  access: 'human',
  needsProof: true,
  params: {},
  returns: v.object({
    options: v.object({
      challenge: v.string(),
      rp: v.object({ id: v.string(), name: v.string() }),
      user: v.object({ id: v.string(), name: v.string(), displayName: v.string() }),
      pubKeyCredParams: v.array(v.object({ type: v.literal('public-key'), alg: v.number() })),
      timeout: v.number(),
      attestation: v.literal('none'),
      excludeCredentials: v.array(credentialDescriptor),
      authenticatorSelection: v.object({
        residentKey: v.literal('required'),
        requireResidentKey: v.literal(true),
        userVerification: v.literal('preferred'),
      }),
    }),
  }),
  command: beginPasskey,
  audit: 'own',
  idempotency: 'harmless',
  finish: async (request, _params, { source }) => ({ options: creationOptions(request, source) }),
})

/** Adds a passkey that a browser has made. Parley's own. */
export const addPasskeyEndpoint = defineEndpoint({
  operation: 'add-passkey',
  method: 'POST',
  path: '/second_factors/passkeys',
  access: 'human',
  needsProof: true,
  params: { name: textUpTo(NAME_LENGTH), credential: newCredential },
  returns: v.object({ id: integer, recovery_codes: v.array(v.string()) }),
  command: addPasskey,
  audit: ({ actorId }) => ({ action: 'second_factor_added', details: { user_id: actorId, kind: 'passkey' } }),
  // A challenge is good once, so a repetition is refused.
  idempotency: 'harmless',
  async prepare({ name, credential }, { source }) {
    return { name, credential, made: await checkNewPasskey(credential, source) }
  },
})

/** Renames one of the caller's passkeys. Parley's own. */
export const renamePasskeyEndpoint = defineEndpoint({
  operation: 'rename-passkey',
  method: 'PATCH',
  path: '/second_factors/passkeys/:passkey_id',
  access: 'human',
  params: { passkey_id: pathInteger, name: textUpTo(NAME_LENGTH) },
  returns: v.object({}),
  command: renamePasskey,
  audit: 'own',
})

/** Removes one of the caller's passkeys. Parley's own. */
export const removePasskeyEndpoint = defineEndpoint({
  operation: 'remove-passkey',
  method: 'DELETE',
  path: '/second_factors/passkeys/:passkey_id',
  access: 'human',
  needsProof: true,
  params: { passkey_id: pathInteger },
  returns: v.object({}),
  command: removePasskey,
  audit: ({ actorId }) => ({
    action: 'second_factor_removed',
    details: { user_id: actorId, kind: 'passkey' },
  }),
})
