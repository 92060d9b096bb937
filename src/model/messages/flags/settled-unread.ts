import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { ReadSet } from '../../../store/messages/flags/read-rows.ts'
import { findUser, type User } from '../../../store/users/user-rows.ts'
import { unreadOfUser } from './found-unread.ts'
import type { ListedUnread } from './unread-groups.ts'

/** Number of newer messages from which on raising a floor is worth the rows that it writes. */
const WORTH_SETTLING = 4_096

/**
 * Settles the read set, since thousands of read messages would have to be looked at again otherwise, and returns the unread messages that a
 * snapshot lists, ascending.
 * @throws ServiceUnavailableError (503) where all of them change again and again
 */
export function settledUnread(tx: RealmTransaction, { id }: Pick<User, 'id'>): ListedUnread {
  const { sql } = tx
  const user = findUser(sql, id)!
  const { upTo, ids, listed } = tx.use(unreadOfUser, user)
  if (upTo - user.readFloor >= WORTH_SETTLING) {
    // A move that is about to be made marks messages as read without an event.
    const read = new ReadSet(sql, user).loadAll()
    read.settle(sql, upTo, read.lacking(ids))
    read.save(sql)
  }
  return listed
}
