import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredUpdateMessageFlagsEvent } from '../../events/update-message-flags.ts'
import type { Caller } from '../../model/caller.ts'
import { lookAgainAtPushesOf } from '../../model/push/enqueue-pushes.ts'
import { ReadSet } from '../../store/messages/flags/read-rows.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'

/**
 * Marks everything as read at once: the floor of the caller's read set rises to the newest message
 * (docs/decisions/design.md#no-row-for-each-recipient), so that the request is never too large to be
 * completed. Source: docs/interface/reading.md#mark-as-read.
 */
export const markAllReadEndpoint = defineEndpoint({
  operation: 'mark-all-read',
  method: 'POST',
  path: '/mark_all_as_read',
  access: 'user',
  params: {},
  returns: v.object({ complete: v.boolean() }),
  command: { apply: markAllRead },
  audit: 'own',
})

function markAllRead(tx: RealmTransaction, { user }: Caller): { complete: boolean } {
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
}
