import { deploymentOf, type RequestSource } from '../../../core/call.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { findUser, type User } from '../../../store/users/user-rows.ts'
import { openConfirmation } from '../../confirmations/confirmation.ts'
import { mailGivenAddress, mailOwnersOfAddress } from '../../emails/account-mails.ts'
import { changeEmail, putAddress } from './change-email.ts'

/**
 * Gives a person the address that somebody else has set, which the caller has checked. It does not open an account that the person has used
 * before they confirm it: until then what opens the account goes to the address before, which gets a mail with a link to confirm the new one.
 * The owners hear of it. `by`: null for an identity provider. Source: docs/security.md#addresses-that-others-have-set.
 */
export function giveAddress(
  tx: RealmTransaction,
  user: User,
  address: string,
  { source, by }: { readonly source: RequestSource; readonly by: User | null },
): void {
  if (user.awaitsLogin || by?.id === user.id || isSameAddress(address, user.deliveryEmail)) {
    const { isEmailConfirmed, formerEmail } = user
    const isOwnCase = isSameAddress(address, user.deliveryEmail) && !isEmailConfirmed
    if (isOwnCase) putAddress(tx, user, { deliveryEmail: address, isEmailConfirmed, formerEmail })
    else changeEmail(tx, user, address)
    return
  }
  const opens = deploymentOf(source).hasAccountAccess
  mailOwnersOfAddress(tx, user, { source, by, address, opens })
  const former = formerOf(user)
  if (opens || isSameAddress(address, former)) {
    changeEmail(tx, user, address)
    return
  }
  putAddress(tx, user, { deliveryEmail: address, isEmailConfirmed: false, formerEmail: former })
  const changed = findUser(tx.sql, user.id)!
  if (former === '') return
  const secret = openConfirmation(tx, 'email-change', changed, address)
  mailGivenAddress(tx, changed, source, `${source.origin}/accounts/confirm-email/${secret}`)
}

/** Returns the last address that the person has confirmed; '' without one. */
function formerOf({ formerEmail, isEmailConfirmed, deliveryEmail }: User): string {
  return formerEmail ?? (isEmailConfirmed ? deliveryEmail : '')
}

function isSameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
