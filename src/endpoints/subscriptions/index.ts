import type { Endpoint } from '../define-endpoint.ts'
import { subscribeEndpoint } from './subscribe.ts'

export const SUBSCRIPTION_ENDPOINTS: readonly Endpoint[] = [subscribeEndpoint]
