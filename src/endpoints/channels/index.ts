import type { Endpoint } from '../define-endpoint.ts'
import { getStreamIdEndpoint } from './get-stream-id.ts'

export const CHANNEL_ENDPOINTS: readonly Endpoint[] = [getStreamIdEndpoint]
