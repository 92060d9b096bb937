import type { RealmReads } from '../../core/realm-transaction.ts'
import { presentUnreadMessages } from '../messages/flags/present-unread-messages.ts'
import { unreadMessages } from '../messages/flags/unread-messages.ts'
import type { User } from '../users/user-rows.ts'
import { isFetched, type SnapshotOptions } from './snapshot.ts'

/** The fetch type that gives the unread messages together with `message`: what a message is, and what its flags are. */
export const UNREAD_FLAGS = 'update_message_flags'

export function fetchesUnread(options: SnapshotOptions): boolean {
  return isFetched(options, 'message') && isFetched(options, UNREAD_FLAGS)
}

/**
 * `unread_msgs`, from the newest 50,000 unread messages (docs/interface/reading.md#unread-messages), of somebody whose read set was
 * settled: thousands of messages that were read would be looked at otherwise.
 */
export function unreadState({ sql }: RealmReads, user: User, { capabilities }: SnapshotOptions): object {
  const unread = unreadMessages(sql, user)
  return presentUnreadMessages(sql, user, unread, capabilities.has('empty_topic_name'))
}
