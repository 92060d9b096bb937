import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { isAddressPaused, putPausedAddress } from '../../store/emails/paused-address-rows.ts'
import { findUserByEmail } from '../../store/users/user-rows.ts'
import { sendNotice } from '../messages/send/send-notice.ts'
import { textsFor } from './texts/texts-for.ts'

/**
 * Pauses an address that permanently takes no mail. Unrequested mail is no longer sent there, and a notice
 * informs its owner in the app. Does nothing for an address without an account.
 */
export function pauseAddress(tx: RealmTransaction, address: string, reason: string): void {
  const user = findUserByEmail(tx.sql, address)
  if (!user?.isActive || user.botType !== null || isAddressPaused(tx.sql, user)) return
  putPausedAddress(tx.sql, user, { since: tx.now, reason })
  // The reason is shown as code, in which no markup has a meaning.
  const shown = reason.replaceAll(/[`\s]+/g, ' ').slice(0, 200)
  sendNotice(tx, {
    to: { user },
    content: textsFor(user).pausedAddress(user.deliveryEmail, shown),
    origin: tx.origin,
  })
}
