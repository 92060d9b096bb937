import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { PROSE_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import { BadEventQueueIdError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { deleteQueue as deleteQueueRow, findQueue } from '../../events/queue.ts'
import type { Caller } from '../../model/caller.ts'

/** Ends a queue, and the poll that waits on it. Source: docs/interface/events.md#end-a-queue. */
export const deleteQueueEndpoint = defineEndpoint({
  operation: 'delete-queue',
  method: 'DELETE',
  path: '/events',
  access: 'user',
  rateLimit: 'events',
  params: { queue_id: textUpTo(PROSE_LENGTH) },
  returns: v.object({}),
  command: { apply: deleteQueue },
  audit: 'own',
})

function deleteQueue(
  tx: RealmTransaction,
  caller: Caller,
  { queue_id }: { readonly queue_id: string },
): object {
  const queue = findQueue(tx.sql, queue_id)
  if (queue?.userId !== caller.user.id) throw new BadEventQueueIdError(queue_id)
  deleteQueueRow(tx.sql, queue_id)
  tx.endPoll(queue_id)
  return {}
}
