import type { Endpoint } from './define-endpoint.ts'
import { getEventsEndpoint } from './events/get-events.ts'
import { registerQueueEndpoint } from './events/register-queue.ts'
import { sendMessageEndpoint } from './messages/send-message.ts'
import { createUserEndpoint } from './users/create-user.ts'

/** Every operation of the API. */
export const ENDPOINTS: readonly Endpoint[] = [
  createUserEndpoint,
  getEventsEndpoint,
  registerQueueEndpoint,
  sendMessageEndpoint,
]

/** Operations of the realm object, by name. */
export const OPERATIONS: ReadonlyMap<string, Endpoint> = new Map(
  ENDPOINTS.map((endpoint) => [endpoint.operation, endpoint]),
)
