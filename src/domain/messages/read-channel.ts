import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredUpdateMessageFlagsEvent } from '../../events/update-message-flags.ts'
import { lookAgainAtPushesOf } from '../push/look-again.ts'
import type { User } from '../users/user-rows.ts'
import { ReadSet } from './read-rows.ts'
import { unreadMessagesOf } from './unread-messages.ts'

/**
 * Marks everything in channels read for a user who is about to leave them, and tells the user's clients:
 * what is unread is in channels that one is subscribed to (docs/interface/subscriptions.md#unsubscribe).
 */
export function readChannels(tx: RealmTransaction, user: User, channelIds: readonly number[]): void {
  const unread = unreadMessagesOf(tx.sql, user, channelIds)
  if (unread.length === 0) return
  const read = new ReadSet(tx.sql, user).loadAll()
  for (const { id } of unread) read.add(id)
  read.save()
  lookAgainAtPushesOf(tx, user.id)
  const event: StoredUpdateMessageFlagsEvent = {
    type: 'update_message_flags',
    op: 'add',
    flag: 'read',
    messages: unread.map(({ id }) => id),
    all: false,
  }
  tx.emit(event, toUsers(user.id))
}
