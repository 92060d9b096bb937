import type { Endpoint } from '../define-endpoint.ts'
import { receiveWebhookEndpoint } from './receive-webhook.ts'

export const INTEGRATION_ENDPOINTS: readonly Endpoint[] = [receiveWebhookEndpoint]
