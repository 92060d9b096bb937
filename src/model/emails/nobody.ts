import type { RealmReads } from '../../core/realm-transaction.ts'
import { NOBODY } from '../../store/emails/email-rows.ts'
import { listSystemBots, type User } from '../../store/users/user-rows.ts'

/**
 * Returns an account that replaces the unknown one behind an address, so that the same rows are written: the
 * link is invalid, since the bot has another address, and the mail is dropped.
 */
export function accountOfNobody({ sql }: Pick<RealmReads, 'sql'>): User | undefined {
  const [bot] = listSystemBots(sql)
  return bot && { ...bot, deliveryEmail: NOBODY }
}
