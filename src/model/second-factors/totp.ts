import { BadRequestError, RateLimitHitError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { deleteTotp, findTotp, putTotp } from '../../store/second-factors/second-factor-rows.ts'
import type { Caller } from '../caller.ts'
import { mailCredentialChange } from '../emails/account-mails.ts'
import { noteNewFactor, noteRemovedFactor, requireNotLastFactor } from './change-second-factors.ts'
import {
  type CodeCheck,
  codeCheckOf,
  countCode,
  type EnteredCode,
  passCode,
  renewRecoveryCodes,
  spendCode,
  wrongCode,
} from './codes.ts'
import { hasConfirmedTotp, hasSecondFactor } from './second-factor-state.ts'

/** A new secret, with the names that an authenticator app shows next to its codes. */
export interface NewTotp {
  /** Sealed. */
  readonly secret: string
  readonly email: string
  readonly organization: string
}

/** Begins to set up an authenticator app, which counts once its owner has entered a code. Parley's own. */
export function beginTotp(
  tx: RealmTransaction,
  { user }: Caller,
  { secret = '' }: { readonly secret?: string },
): NewTotp {
  if (hasConfirmedTotp(tx.sql, user.id)) {
    throw new BadRequestError('You have an authenticator app already. Remove it to set up another one.')
  }
  putTotp(tx.sql, user.id, secret, tx.now)
  return { secret, email: user.deliveryEmail, organization: realmProperty(tx.sql, 'name') }
}

/** Counts a code of the caller's own, and returns the facts to check it. */
export function checkOwnCode(tx: RealmTransaction, { user, source }: Caller): CodeCheck {
  const wait = countCode(tx, source, user.id)
  if (wait !== undefined) throw new RateLimitHitError(wait)
  return codeCheckOf(tx, user.id)
}

export interface RecoveryCodes {
  /** Codes that are shown only once; empty if the account has some already. */
  readonly recovery_codes: readonly string[]
}

/** Finishes setting up an authenticator app, by one of its codes. Parley's own. */
export function confirmTotp(
  tx: RealmTransaction,
  caller: Caller,
  { code = '', step }: Partial<EnteredCode>,
): RecoveryCodes {
  const { user, source } = caller
  const totp = findTotp(tx.sql, user.id)
  if (!totp || totp.isConfirmed) throw new BadRequestError('No authenticator app is being set up.')
  // This is the rehearsal, before the code is checked.
  if (step === undefined) return { recovery_codes: [] }
  if (step === null || !spendCode(tx, user.id, { code, step }, { unconfirmed: true })) throw wrongCode()
  passCode(tx, source, user.id)
  return { recovery_codes: noteNewFactor(tx, caller) }
}

export function removeTotp(tx: RealmTransaction, caller: Caller): void {
  if (!hasConfirmedTotp(tx.sql, caller.user.id)) throw new BadRequestError('You have no authenticator app.')
  requireNotLastFactor(tx.sql, caller)
  deleteTotp(tx.sql, caller.user.id)
  noteRemovedFactor(tx, caller)
}

/** Replaces the caller's recovery codes by new ones. Parley's own. */
export function renewOwnRecoveryCodes(tx: RealmTransaction, { user, source }: Caller): RecoveryCodes {
  if (!hasSecondFactor(tx.sql, user.id)) {
    throw new BadRequestError('Set up an authenticator app or a passkey first.')
  }
  mailCredentialChange(tx, user, source, 'recoveryCodes')
  return { recovery_codes: renewRecoveryCodes(tx, user.id) }
}
