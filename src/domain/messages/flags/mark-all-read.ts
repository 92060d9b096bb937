import { toUsers } from '../../../core/audience.ts'
import type { Command } from '../../../core/command.ts'
import type { StoredUpdateMessageFlagsEvent } from '../../../events/update-message-flags.ts'
import type { Caller } from '../../caller.ts'
import { lookAgainAtPushesOf } from '../../push/look-again.ts'
import { newestMessageId } from '../message-rows.ts'
import { ReadSet } from './read-rows.ts'

/**
 * Marks everything as read at once: the floor of the caller's read set rises to the newest message
 * (docs/decisions/design.md#no-row-for-each-recipient), so that the request is never too large to be
 * completed. Source: docs/interface/reading.md#mark-as-read.
 */
export const markAllRead: Command<Caller, object, void, { complete: boolean }> = {
  apply(tx, { user }) {
    const read = new ReadSet(tx.sql, user)
    read.raiseFloor(tx.sql, newestMessageId(tx.sql))
    read.save(tx.sql)
    lookAgainAtPushesOf(tx, user.id)
    const event: StoredUpdateMessageFlagsEvent = {
      type: 'update_message_flags',
      op: 'add',
      flag: 'read',
      messages: [],
      all: true,
    }
    tx.emit(event, toUsers(user.id))
    return { complete: true }
  },
}
