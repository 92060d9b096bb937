import * as v from 'valibot'
import { deleteQueue } from '../../domain/events/delete-queue.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { text } from '../parameter-types.ts'

/** Ends an event queue that the client does not need any more. Source: core-endpoints 2. */
export const deleteQueueEndpoint = defineEndpoint({
  operation: 'delete-queue',
  method: 'DELETE',
  path: '/events',
  access: 'user',
  rateLimit: 'events',
  params: { queue_id: text },
  returns: v.object({}),
  command: deleteQueue,
})
