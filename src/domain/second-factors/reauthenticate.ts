import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { noteProof, provenUntil } from '../browser-sessions/browser-session-rows.ts'
import type { Caller } from '../caller.ts'
import { wrongOwnPassword } from '../users/login/fetch-api-key.ts'
import { newChallenge } from './challenge.ts'
import { type EnteredCode, passCode, spendCode, wrongCode } from './codes.ts'
import { usePasskey } from './log-in-with-passkey.ts'
import type { PasskeyAnswer, PasskeyQuestion } from './passkey-facts.ts'
import { hasPasskey } from './passkey-rows.ts'
import { namedCredentials } from './passkeys.ts'
import { hasConfirmedTotp, hasSecondFactor } from './second-factor-state.ts'

/** How the caller can prove once more who it is. */
export interface ProofQuestion {
  /** UNIX seconds until which the browser need not prove it again; null where it must. */
  readonly proved_until: number | null
  readonly password: boolean
  readonly code: boolean
  readonly passkey: PasskeyQuestion | null
}

/** Returns how the caller can prove who it is: by its second factor, where it has one. Parley's own. */
export const askForProof: Command<Caller, unknown, void, ProofQuestion> = {
  apply(tx, { user, source }) {
    const hasFactor = hasSecondFactor(tx.sql, user.id)
    const until = source.session === undefined ? undefined : provenUntil(tx.sql, source.session, tx.now)
    return {
      proved_until: until ?? null,
      password: !hasFactor && user.passwordHash !== null,
      code: hasConfirmedTotp(tx.sql, user.id),
      passkey: hasPasskey(tx.sql, user.id)
        ? { challenge: newChallenge(tx, 'prove', user.id), credentials: namedCredentials(tx, user.id) }
        : null,
    }
  },
}

export interface ProofParams {
  readonly password?: string
  readonly code?: string
  /** The hash that the password fits, from the Worker. */
  readonly checked_hash?: string | null
  readonly checked_code?: EnteredCode
  readonly checked_passkey?: PasskeyAnswer
}

/** Notes that the caller has proved once more who it is. Programs with a key need not, and nothing is noted of them. Parley's own. */
export const prove: Command<Caller, ProofParams, void, object> = {
  apply(tx, caller, { password, checked_hash, checked_code, checked_passkey }) {
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
      return {}
    }
    if (source.session !== undefined) noteProof(tx.sql, source.session, tx.now)
    return {}
  },
}
