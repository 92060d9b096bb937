import * as v from 'valibot'
import { deleteQueue } from '../../domain/events/delete-queue.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { PROSE_LENGTH } from '../input-limits.ts'
import { textUpTo } from '../parameter-types.ts'

/** Ends an event queue that the client no longer needs. Source: docs/interface/events.md#end-a-queue. */
export const deleteQueueEndpoint = defineEndpoint({
  operation: 'delete-queue',
  method: 'DELETE',
  path: '/events',
  access: 'user',
  rateLimit: 'events',
  params: { queue_id: textUpTo(PROSE_LENGTH) },
  returns: v.object({}),
  command: deleteQueue,
  audit: 'own',
})
