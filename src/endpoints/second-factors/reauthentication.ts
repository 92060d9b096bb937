import * as v from 'valibot'
import { BadRequestError } from '../../core/errors.ts'
import { requestOptions } from '../../domain/second-factors/in-worker/passkey-answers.ts'
import { askForProof, prove } from '../../domain/second-factors/reauthenticate.ts'
import { wrongOwnPassword } from '../../domain/users/login/fetch-api-key.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { integer, textUpTo } from '../parameter-types.ts'
import { requireOwnPassword } from '../users/own-password.ts'
import { answeredPasskey } from './answered-passkey.ts'
import { credentialAnswer, requestOptionsShape } from './credentials.ts'
import { checkedOwnCode, enteredCode } from './totp.ts'

/** Says how the caller can prove once more who is at the browser. Parley's own. */
export const askForProofEndpoint = defineEndpoint({
  operation: 'ask-for-proof',
  method: 'GET',
  path: '/reauthentication',
  access: 'human',
  params: {},
  returns: v.object({
    proved_until: v.nullable(integer),
    password: v.boolean(),
    code: v.boolean(),
    passkey: v.nullable(requestOptionsShape),
  }),
  command: askForProof,
  finish: async ({ passkey, ...ways }, _params, { source }) => ({
    ...ways,
    passkey: passkey && requestOptions(passkey, source),
  }),
})

/** Proves once more who is at the browser, by one of these parameters. Parley's own. */
export const proveEndpoint = defineEndpoint({
  operation: 'prove-identity',
  method: 'POST',
  path: '/reauthentication',
  access: 'human',
  params: {
    password: v.optional(textUpTo(NAME_LENGTH)),
    code: v.optional(enteredCode),
    credential: v.optional(credentialAnswer),
  },
  returns: v.object({}),
  command: prove,
  audit: ({ actorId }) => ({ action: 'identity_proved', details: { user_id: actorId } }),
  idempotency: 'harmless',
  async prepare(params, worker) {
    const { password, code, credential } = params
    if (credential) return { ...params, checked_passkey: await answeredPasskey(credential, worker) }
    if (code !== undefined) return { ...params, checked_code: await checkedOwnCode(code, worker) }
    if (password === undefined) throw new BadRequestError('Enter your password or a code, or use a passkey.')
    return { ...params, checked_hash: await requireOwnPassword(password, worker, wrongOwnPassword) }
  },
})
