import { NotFoundError } from '../../core/errors.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import {
  type Confirmation,
  type ConfirmationKind,
  findConfirmation,
} from '../../store/confirmations/confirmation-rows.ts'
import { isRealmDeactivated } from '../../store/realm/realm-setting-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'

/**
 * Returns the confirmation behind a link, and the account to which it was sent.
 * @throws NotFoundError when it is no longer valid: used, replaced, expired, or the account is closed or has
 * another address by now.
 */
export function requireConfirmation(
  view: RealmView,
  kind: ConfirmationKind,
  secret: string,
): { readonly confirmation: Confirmation; readonly user: User } {
  const confirmation = findConfirmation(view, kind, secret)
  const user = confirmation && findUser(view.sql, confirmation.userId)
  // In a closed organization only reactivation is possible.
  const isItsTime = isRealmDeactivated(view.sql) === (kind === 'realm-reactivation')
  const isGood = user?.isActive && user.deliveryEmail === confirmation?.email && isItsTime
  if (!isGood || !confirmation) throw new NotFoundError('This link is not valid any more.')
  return { confirmation, user }
}
