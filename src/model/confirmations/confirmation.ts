import { NotFoundError } from '../../core/errors.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import {
  type Confirmation,
  type ConfirmationKind,
  closeConfirmations,
  deleteExpiredConfirmations,
  findConfirmation,
  insertConfirmation,
} from '../../store/confirmations/confirmation-rows.ts'
import { isRealmDeactivated } from '../../store/realm/realm-setting-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'

const VALID_SECONDS = DAY

/** Enters a confirmation, valid for a day, and returns its secret. It replaces earlier ones of the account. */
export function openConfirmation(
  tx: RealmTransaction,
  kind: ConfirmationKind,
  { id: userId, deliveryEmail: email }: User,
  newEmail: string | null = null,
): string {
  closeConfirmations(tx.sql, userId, kind)
  deleteExpiredConfirmations(tx.sql, tx.now)
  const secret = tx.randomHex(16)
  const expiresAt = Math.floor(tx.now) + VALID_SECONDS
  insertConfirmation(tx.sql, { kind, userId, email, newEmail, secret, expiresAt })
  return secret
}

/**
 * Returns the confirmation behind a link, and the account to which it was sent.
 * @throws NotFoundError when the link was used or replaced or has expired, or the account is closed or has changed its address.
 */
export function requireConfirmation(
  view: RealmView,
  kind: ConfirmationKind,
  secret: string,
): { readonly confirmation: Confirmation; readonly user: User } {
  const confirmation = findConfirmation(view, kind, secret)
  const user = confirmation && findUser(view.sql, confirmation.userId)
  // A closed organization can only be reactivated.
  const isItsTime = isRealmDeactivated(view.sql) === (kind === 'realm-reactivation')
  const isGood = user?.isActive && user.deliveryEmail === confirmation?.email && isItsTime
  if (!isGood || !confirmation) throw new NotFoundError('This link is not valid any more.')
  return { confirmation, user }
}
