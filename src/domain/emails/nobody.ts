import type { RealmReads } from '../../core/realm-transaction.ts'
import { listSystemBots, type User } from '../users/user-rows.ts'
import { NOBODY } from './email-rows.ts'

/**
 * Stands in for the account behind an address that nobody has, so that the same rows are written for it: a link opens
 * nothing, since the bot has another address, and the mail is dropped.
 */
export function accountOfNobody({ sql }: Pick<RealmReads, 'sql'>): User | undefined {
  const [bot] = listSystemBots(sql)
  return bot && { ...bot, deliveryEmail: NOBODY }
}
