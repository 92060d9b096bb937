import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { sendNotice } from '../messages/send/send-notice.ts'
import { findUserByEmail } from '../users/user-rows.ts'
import { isAddressPaused, putPausedAddress } from './paused-address-rows.ts'
import { textsFor } from './texts/texts-for.ts'

/**
 * An address takes no mail for good. What nobody has asked for is not sent there any more, and its owner is shown where they can
 * read it. Nothing is done for an address that is no account's.
 */
export function pauseAddress(tx: RealmTransaction, address: string, reason: string): void {
  const user = findUserByEmail(tx.sql, address)
  if (!user?.isActive || user.botType !== null || isAddressPaused(tx.sql, user)) return
  putPausedAddress(tx.sql, user, { since: tx.now, reason })
  // It is shown as code, in which nothing of it means anything.
  const shown = reason.replaceAll(/[`\s]+/g, ' ').slice(0, 200)
  sendNotice(tx, {
    to: { user },
    content: textsFor(user).pausedAddress(user.deliveryEmail, shown),
    origin: tx.origin,
  })
}
