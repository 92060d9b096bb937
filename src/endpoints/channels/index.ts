import type { Endpoint } from '../define-endpoint.ts'
import { getStreamByIdEndpoint } from './get-stream-by-id.ts'
import { getStreamIdEndpoint } from './get-stream-id.ts'
import { getStreamTopicsEndpoint } from './get-stream-topics.ts'
import { getStreamsEndpoint } from './get-streams.ts'
import { getSubscribersEndpoint } from './get-subscribers.ts'

export const CHANNEL_ENDPOINTS: readonly Endpoint[] = [
  getStreamByIdEndpoint,
  getStreamIdEndpoint,
  getStreamTopicsEndpoint,
  getStreamsEndpoint,
  getSubscribersEndpoint,
]
