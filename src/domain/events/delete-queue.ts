import type { Command } from '../../core/command.ts'
import { BadEventQueueIdError } from '../../core/errors.ts'
import { deleteQueue as deleteQueueRow, findQueue } from '../../events/queue.ts'
import type { Caller } from '../caller.ts'

/** Ends a queue, and the poll that waits on it. Source: docs/interface/events.md#end-a-queue. */
export const deleteQueue: Command<Caller, { readonly queue_id: string }, void, object> = {
  apply(tx, caller, { queue_id }) {
    const queue = findQueue(tx.sql, queue_id)
    if (queue?.userId !== caller.user.id) throw new BadEventQueueIdError(queue_id)
    deleteQueueRow(tx.sql, queue_id)
    tx.endPoll(queue_id)
    return {}
  },
}
