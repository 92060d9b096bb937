import * as v from 'valibot'
import { defineEndpoint, defineStep } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { noteWrongOwnPasswordStep } from '../../api/own-password.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import type { WorkerContext } from '../../api/worker-context.ts'
import { BadRequestError, RateLimitHitError } from '../../core/errors.ts'
import { secretText } from '../../core/secret-text.ts'
import { mailCredentialChange } from '../../model/emails/account-mails.ts'
import {
  noteNewFactor,
  noteRemovedFactor,
  requireNotLastFactor,
} from '../../model/second-factors/change-second-factors.ts'
import {
  type CodeCheck,
  codeCheckOf,
  countCode,
  type EnteredCode,
  type NewTotp,
  passCode,
  renewRecoveryCodes,
  spendCode,
  wrongCode,
} from '../../model/second-factors/codes.ts'
import {
  isTotpCode,
  newTotpSecret,
  stepOfCode,
  totpEntryOf,
} from '../../model/second-factors/in-worker/totp-codes.ts'
import { hasConfirmedTotp, hasSecondFactor } from '../../model/second-factors/second-factor-state.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { deleteTotp, findTotp, putTotp } from '../../store/second-factors/second-factor-rows.ts'

/** The purpose for sealing authenticator apps' secrets. */
export const TOTP_SECRET = 'second factor'

/** A code from an authenticator app, or a recovery code, as entered. */
export const enteredCode = textUpTo(NAME_LENGTH)

const recoveryCodes = v.object({ recovery_codes: v.array(secretText()) })

/**
 * Begins to set up an authenticator app: the Worker creates and seals the secret, which the object never has in plain text. Parley's own.
 */
export const beginTotpEndpoint = defineEndpoint({
  operation: 'begin-totp',
  route: 'POST /second_factors/totp',
  access: 'human',
  needsProof: true,
  returns: v.object({ secret: secretText(), uri: secretText(), qr_code: secretText() }),
  apply(tx, { user }, { secret = '' }: { readonly secret?: string }): NewTotp {
    if (hasConfirmedTotp(tx.sql, user.id)) {
      throw new BadRequestError('You have an authenticator app already. Remove it to set up another one.')
    }
    putTotp(tx.sql, user.id, secret, tx.now)
    return { secret, email: user.deliveryEmail, organization: realmProperty(tx.sql, 'name') }
  },
  audit: { because: 'It has no effect until confirm-totp.' },
  idempotency: 'harmless',
  async prepare(_params, { secrets }) {
    return { secret: await secrets.seal(TOTP_SECRET, newTotpSecret()) }
  },
  async finish({ secret, ...names }, _params, { secrets }) {
    return totpEntryOf(await secrets.open(TOTP_SECRET, secret), names)
  },
})

/** Finishes setting up an authenticator app, with a code from it. Parley's own. */
export const confirmTotpEndpoint = defineEndpoint({
  operation: 'confirm-totp',
  route: 'POST /second_factors/totp/confirm',
  access: 'human',
  needsProof: true,
  params: { code: enteredCode },
  returns: recoveryCodes,
  apply(tx, caller, { code = '', step }: Partial<EnteredCode>) {
    const { user, source } = caller
    const totp = findTotp(tx.sql, user.id)
    if (!totp || totp.isConfirmed) throw new BadRequestError('No authenticator app is being set up.')
    // This is the rehearsal, before the code is checked.
    if (step === undefined) return { recovery_codes: [] }
    if (step === null || !spendCode(tx, user.id, { code, step }, { unconfirmed: true })) throw wrongCode()
    passCode(tx, source, user.id)
    return { recovery_codes: noteNewFactor(tx, caller) }
  },
  audit: ({ actorId }) => ({ action: 'second_factor_added', details: { user_id: actorId, kind: 'totp' } }),
  idempotency: 'harmless',
  prepare: ({ code }, worker) => checkedOwnCode(code, worker),
})

/** Removes the caller's authenticator app. Parley's own. */
export const removeTotpEndpoint = defineEndpoint({
  operation: 'remove-totp',
  route: 'DELETE /second_factors/totp',
  access: 'human',
  needsProof: true,
  apply(tx, caller) {
    if (!hasConfirmedTotp(tx.sql, caller.user.id)) throw new BadRequestError('You have no authenticator app.')
    requireNotLastFactor(tx.sql, caller)
    deleteTotp(tx.sql, caller.user.id)
    noteRemovedFactor(tx, caller)
  },
  audit: ({ actorId }) => ({ action: 'second_factor_removed', details: { user_id: actorId, kind: 'totp' } }),
})

/** Gives the caller new recovery codes. Parley's own. */
export const renewRecoveryCodesEndpoint = defineEndpoint({
  operation: 'renew-recovery-codes',
  route: 'POST /second_factors/recovery_codes',
  access: 'human',
  needsProof: true,
  returns: recoveryCodes,
  apply(tx, { user, source }) {
    if (!hasSecondFactor(tx.sql, user.id)) {
      throw new BadRequestError('Set up an authenticator app or a passkey first.')
    }
    mailCredentialChange(tx, user, source, 'recoveryCodes')
    return { recovery_codes: renewRecoveryCodes(tx, user.id) }
  },
  audit: ({ actorId }) => ({ action: 'recovery_codes_renewed', details: { user_id: actorId } }),
  // The codes are not stored, so a repetition gives new ones.
  idempotency: 'harmless',
})

/** Counts a code of the caller's own, and returns the facts to check it. */
export const checkOwnCodeStep = defineStep({
  operation: 'check-own-code',
  access: 'human',
  apply(tx, { user, source }): CodeCheck {
    const wait = countCode(tx, source, user.id)
    if (wait !== undefined) throw new RateLimitHitError(wait)
    return codeCheckOf(tx, user.id)
  },
  audit: { because: 'Counts the code; the requesting operation records the outcome.' },
})

/** Checks the caller's code in the Worker. A wrong one is recorded in the audit log. */
export async function checkedOwnCode(code: string, worker: WorkerContext): Promise<EnteredCode> {
  const check = (await worker.run(checkOwnCodeStep.operation, {})) as CodeCheck
  const entered = await enteredCodeOf(code, check, worker)
  if (entered.step === null && isTotpCode(code)) await worker.run(noteWrongOwnPasswordStep.operation, {})
  return entered
}

/** Returns the code with the time step to which it belongs. */
export async function enteredCodeOf(
  code: string,
  { secret, now }: CodeCheck,
  { secrets }: Pick<WorkerContext, 'secrets'>,
): Promise<EnteredCode> {
  if (secret === null || !isTotpCode(code)) return { code, step: null }
  return { code, step: stepOfCode(await secrets.open(TOTP_SECRET, secret), code, now) }
}
