import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { requireOwnPassword } from '../../api/own-password.ts'
import { integer, textUpTo } from '../../api/parameter-types.ts'
import type { WorkerContext } from '../../api/worker-context.ts'
import { BadRequestError } from '../../core/errors.ts'
import { wrongOwnPassword } from '../../model/accounts/login/fetch-api-key.ts'
import { waysToProve } from '../../model/login-providers/ways-to-prove.ts'
import { type EnteredCode, passCode, spendCode, wrongCode } from '../../model/second-factors/codes.ts'
import {
  checkPasskeyAnswer,
  type PasskeyAnswer,
  requestOptions,
} from '../../model/second-factors/in-worker/passkey-answers.ts'
import { hasSecondFactor } from '../../model/second-factors/second-factor-state.ts'
import { noteProof, provenUntil } from '../../store/browser-sessions/browser-session-rows.ts'
import { credentialAnswer, requestOptionsShape } from './credentials.ts'
import { type FoundPasskey, findPasskeyStep, usePasskey } from './log-in-with-passkey.ts'
import { namedCredentials, newChallenge } from './passkeys.ts'
import { checkedOwnCode, enteredCode } from './totp.ts'

/** Says how the caller can prove their identity again: with a second factor, if there is one, or at a provider. Parley's own. */
export const askForProofEndpoint = defineEndpoint({
  operation: 'ask-for-proof',
  route: 'GET /reauthentication',
  access: 'human',
  returns: v.object({
    proved_until: v.nullable(integer),
    password: v.boolean(),
    code: v.boolean(),
    passkey: v.nullable(requestOptionsShape),
    providers: v.array(v.object({ slug: v.string(), display_name: v.string() })),
  }),
  apply(tx, { user, source }) {
    const { passkey, providers, ...ways } = waysToProve(tx.sql, user)
    const until = source.session === undefined ? undefined : provenUntil(tx.sql, source.session, tx.now)
    return {
      proved_until: until ?? null,
      ...ways,
      passkey: passkey
        ? { challenge: newChallenge(tx, 'prove', user.id), credentials: namedCredentials(tx, user.id) }
        : null,
      providers: providers.map(({ slug, displayName }) => ({ slug, display_name: displayName })),
    }
  },
  finish: async ({ passkey, ...ways }, _params, { source }) => ({
    ...ways,
    passkey: passkey && requestOptions(passkey, source),
  }),
})

/**
 * Proves the caller's identity again, with one of these parameters. Programs with a key need not, and nothing is recorded for them.
 * Parley's own.
 */
export const proveEndpoint = defineEndpoint({
  operation: 'prove-identity',
  route: 'POST /reauthentication',
  access: 'human',
  params: {
    password: v.optional(textUpTo(NAME_LENGTH)),
    code: v.optional(enteredCode),
    credential: v.optional(credentialAnswer),
  },
  apply(tx, caller, { password, checked_hash, checked_code, checked_passkey }: ProofParams) {
    const { user, source } = caller
    if (password !== undefined && hasSecondFactor(tx.sql, user.id)) {
      throw new BadRequestError('Use your authenticator app, your passkey, or a recovery code.')
    }
    if (checked_hash !== undefined) {
      if (checked_hash === null || checked_hash !== user.passwordHash) throw wrongOwnPassword()
    } else if (checked_code !== undefined) {
      if (!spendCode(tx, user.id, checked_code)) throw wrongCode()
      passCode(tx, source, user.id)
    } else if (checked_passkey !== undefined) {
      usePasskey(tx, checked_passkey, 'prove', user)
    } else {
      // The rehearsal, before anything was checked.
      return
    }
    if (source.session !== undefined) noteProof(tx.sql, source.session, tx.now)
  },
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

interface ProofParams {
  readonly password?: string
  readonly code?: string
  /** The hash that the password matches, from the Worker. */
  readonly checked_hash?: string | null
  readonly checked_code?: EnteredCode
  readonly checked_passkey?: PasskeyAnswer
}

/** Checks an answer against the passkey that it names. The object checks the challenge. @throws BadRequestError */
export async function answeredPasskey(
  answer: AuthenticationResponseJSON,
  { run, source }: Pick<WorkerContext, 'run' | 'source'>,
): Promise<PasskeyAnswer> {
  const found = (await run(findPasskeyStep.operation, { credential_id: answer.id })) as FoundPasskey
  const known = {
    credentialId: answer.id,
    publicKey: found.public_key,
    counter: found.counter,
    handle: found.handle,
  }
  return checkPasskeyAnswer(answer, known, source)
}
