import { presentUnreadMessages } from '../messages/flags/present-unread-messages.ts'
import { settleReadSet, unreadMessages } from '../messages/flags/unread-messages.ts'
import type { Snapshot } from './snapshot.ts'

/** `unread_msgs`, from the newest 50,000 unread messages (docs/interface/reading.md#unread-messages). */
export const unreadMessagesSnapshot: Snapshot = (tx, { user }, { capabilities }) => {
  const unread = unreadMessages(tx.sql, settleReadSet(tx.sql, user))
  return {
    unread_msgs: presentUnreadMessages(tx.sql, user, unread, capabilities.has('empty_topic_name')),
  }
}
