import type { Endpoint } from '../../api/define-endpoint.ts'
import {
  getIncomingWebhookEndpoint,
  previewWebhookTemplateEndpoint,
  updateIncomingWebhookEndpoint,
} from './incoming-webhook.ts'
import { receiveWebhookEndpoint } from './receive-webhook.ts'
import { testIncomingWebhookEndpoint } from './test-incoming-webhook.ts'

export const INTEGRATION_ENDPOINTS: readonly Endpoint[] = [
  getIncomingWebhookEndpoint,
  previewWebhookTemplateEndpoint,
  receiveWebhookEndpoint,
  testIncomingWebhookEndpoint,
  updateIncomingWebhookEndpoint,
]
