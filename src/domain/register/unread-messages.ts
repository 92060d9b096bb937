import type { RealmReads } from '../../core/realm-transaction.ts'
import { presentUnreadMessages } from '../messages/flags/present-unread-messages.ts'
import { unreadMessages } from '../messages/flags/unread-messages.ts'
import type { User } from '../users/user-rows.ts'
import { isFetched, type SnapshotOptions } from './snapshot.ts'

/** The fetch type that, together with `message`, adds the unread messages: messages and their flags. */
export const UNREAD_FLAGS = 'update_message_flags'

export function fetchesUnread(options: SnapshotOptions): boolean {
  return isFetched(options, 'message') && isFetched(options, UNREAD_FLAGS)
}

/**
 * Returns `unread_msgs`, from the newest 50,000 unread messages (docs/interface/reading.md#unread-messages),
 * of somebody whose read set was settled: otherwise thousands of read messages would have to be read.
 */
export function unreadState({ sql }: RealmReads, user: User, { capabilities }: SnapshotOptions): object {
  const unread = unreadMessages(sql, user)
  return presentUnreadMessages(sql, user, unread, capabilities.has('empty_topic_name'))
}
