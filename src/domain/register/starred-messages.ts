import { messagesWithFlag } from '../messages/flags/flag-rows.ts'
import { FLAG_BIT } from '../messages/flags/message-bits.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `starred_messages`: ids, ascending. */
export const starredMessagesSnapshot: Snapshot = (tx, { user }) => ({
  starred_messages: messagesWithFlag(tx.sql, user.id, FLAG_BIT.starred),
})
