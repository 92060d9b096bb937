import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredUpdateMessageFlagsEvent } from '../../events/update-message-flags.ts'
import { nextUnreadOf, type UnreadParameters } from '../../model/messages/flags/unread-messages.ts'
import { lookAgainAtPushesOf } from '../../model/push/look-again.ts'
import type { User } from '../../store/users/user-rows.ts'

/** Messages that a user has read by leaving channels. */
export interface ReadByUser {
  readonly userId: number
  readonly messageIds: readonly number[]
}

/**
 * Marks the next messages in channels as read for a user who is about to leave them, those found beyond
 * `above` in some `rows` rows: unread messages exist only in subscribed
 * channels (docs/interface/subscriptions.md#unsubscribe). Returns them, for `announceRead`, and the id up to which nothing is left;
 * undefined when nothing is.
 */
export function readChannels(
  tx: RealmTransaction,
  user: User,
  channelIds: readonly number[],
  part: UnreadParameters,
): ReadByUser & { readonly reached: number | undefined } {
  const { messages: unread, reached, read } = nextUnreadOf(tx.sql, user, channelIds, part)
  if (unread.length > 0) {
    for (const { id } of unread) read.add(id)
    read.save(tx.sql)
    lookAgainAtPushesOf(tx, user.id)
  }
  return { userId: user.id, messageIds: unread.map(({ id }) => id), reached }
}

/** Notifies the clients of users who have read messages: in one event for all who have read the same. */
export function announceRead(tx: RealmTransaction, readBy: readonly ReadByUser[]): void {
  const groups = Map.groupBy(readBy, ({ messageIds }) => messageIds.join())
  for (const group of groups.values()) {
    const messages = group[0]!.messageIds
    if (messages.length === 0) continue
    const event: StoredUpdateMessageFlagsEvent = {
      type: 'update_message_flags',
      op: 'add',
      flag: 'read',
      messages,
      all: false,
    }
    tx.emit(event, toUsers(...group.map(({ userId }) => userId)))
  }
}
