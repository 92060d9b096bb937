import { newestReceivedMessage } from '../messages/flags/received-message-rows.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `message`: the highest id that the caller has a record of, −1 if none. */
export const messageSnapshot: Snapshot = (tx, { user }) => ({
  max_message_id: newestReceivedMessage(tx.sql, user.id) ?? -1,
})
