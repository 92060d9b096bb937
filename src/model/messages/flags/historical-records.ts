import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { putFlagBits } from '../../../store/messages/flags/flag-rows.ts'
import { FLAG_BIT } from '../../../store/messages/flags/message-bits.ts'
import { ReadSet } from '../../../store/messages/flags/read-rows.ts'
import type { IndexedMessage } from '../../../store/messages/message-rows.ts'
import { messageAccess, type Viewer } from '../read/message-access.ts'

/**
 * Adds a message that the user was not sent to the user's own history, read, with further flags: a user who
 * stars an old message or reacts to it keeps it (docs/interface/reading.md#change-flags;
 * docs/interface/events.md#who-gets-an-event). The caller saves `read`.
 */
export function addHistoricalRecord(
  { sql }: Pick<RealmTransaction, 'sql'>,
  userId: number,
  messageId: number,
  read: ReadSet,
  bits = 0,
): void {
  putFlagBits(sql, userId, messageId, FLAG_BIT.historical | bits)
  read.add(messageId)
}

/** Gives the viewer, who may read the message, a record of it if there is none. */
export function ensureRecord(
  view: Pick<RealmTransaction, 'sql'>,
  viewer: Viewer,
  message: IndexedMessage,
): void {
  if (messageAccess(view, viewer, message).hasRecord) return
  const read = new ReadSet(view.sql, viewer.user)
  addHistoricalRecord(view, viewer.user.id, message.id, read)
  read.save(view.sql)
}
