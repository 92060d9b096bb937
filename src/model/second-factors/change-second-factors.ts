import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import {
  countRecoveryCodes,
  deletePasskeysOf,
  deleteRecoveryCodes,
  deleteTotp,
  listPasskeys,
} from '../../store/second-factors/second-factor-rows.ts'
import type { Caller } from '../caller.ts'
import { mailCredentialChange } from '../emails/account-mails.ts'
import { renewRecoveryCodes } from './codes.ts'
import { hasConfirmedTotp, hasSecondFactor, mustHaveSecondFactor } from './second-factor-state.ts'

/** Follows a new factor: mails its owner, and returns recovery codes if the account had none. */
export function noteNewFactor(tx: RealmTransaction, { user, source }: Omit<Caller, 'actor'>): string[] {
  mailCredentialChange(tx, user, source, 'factorAdded')
  return countRecoveryCodes(tx.sql, user.id) > 0 ? [] : renewRecoveryCodes(tx, user.id)
}

/** Follows the removal of a factor: mails its owner, and deletes the recovery codes with the last factor. */
export function noteRemovedFactor(tx: RealmTransaction, { user, source }: Caller): void {
  mailCredentialChange(tx, user, source, 'factorRemoved')
  if (!hasSecondFactor(tx.sql, user.id)) deleteRecoveryCodes(tx.sql, user.id)
}

export function deleteSecondFactors({ sql }: RealmTransaction, userId: number): void {
  deleteTotp(sql, userId)
  deletePasskeysOf(sql, userId)
  deleteRecoveryCodes(sql, userId)
}

/** Requires that the account keeps a factor if the organization demands one. */
export function requireNotLastFactor(sql: Sql, { user }: Caller): void {
  if (!mustHaveSecondFactor(sql, user)) return
  const factors = listPasskeys(sql, user.id).length + (hasConfirmedTotp(sql, user.id) ? 1 : 0)
  if (factors > 1) return
  throw new BadRequestError(
    'Your organization requires two-step verification. Add another method before you remove this one.',
  )
}
