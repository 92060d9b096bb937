import { toUsers } from '../../../core/audience.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { StoredUpdateMessageFlagsEvent } from '../../../events/update-message-flags.ts'
import { lookAgainAtPushesOf } from '../../push/look-again.ts'
import type { User } from '../../users/user-rows.ts'
import { nextUnreadOf, type UnreadParameters } from './unread-messages.ts'

/**
 * Marks the next messages in channels as read for a user who is about to leave them, those found beyond
 * `above` in some `rows` rows, and notifies the user's clients: unread messages exist only in subscribed
 * channels (docs/interface/subscriptions.md#unsubscribe). Returns the id up to which nothing is left;
 * undefined when nothing is.
 */
export function readChannels(
  tx: RealmTransaction,
  user: User,
  channelIds: readonly number[],
  part: UnreadParameters,
): number | undefined {
  const { messages: unread, reached, read } = nextUnreadOf(tx.sql, user, channelIds, part)
  if (unread.length === 0) return reached
  for (const { id } of unread) read.add(id)
  read.save(tx.sql)
  lookAgainAtPushesOf(tx, user.id)
  const event: StoredUpdateMessageFlagsEvent = {
    type: 'update_message_flags',
    op: 'add',
    flag: 'read',
    messages: unread.map(({ id }) => id),
    all: false,
  }
  tx.emit(event, toUsers(user.id))
  return reached
}
