import type { Endpoint } from '../../api/define-endpoint.ts'
import { deleteQueueEndpoint } from './delete-queue.ts'
import { getEventsEndpoint } from './get-events.ts'
import { registerQueueEndpoint } from './register-queue.ts'

export const EVENT_ENDPOINTS: readonly Endpoint[] = [
  deleteQueueEndpoint,
  getEventsEndpoint,
  registerQueueEndpoint,
]
