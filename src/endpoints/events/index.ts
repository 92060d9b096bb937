import type { Endpoint } from '../define-endpoint.ts'
import { getEventsEndpoint } from './get-events.ts'
import { registerQueueEndpoint } from './register-queue.ts'

export const EVENT_ENDPOINTS: readonly Endpoint[] = [getEventsEndpoint, registerQueueEndpoint]
