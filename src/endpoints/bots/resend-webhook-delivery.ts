import * as v from 'valibot'
import { resendWebhookDelivery } from '../../domain/bots/resend-webhook-delivery.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Makes a call of an outgoing webhook again. Parley's own. Source: docs/interface/bots.md#deliveries. */
export const resendWebhookDeliveryEndpoint = defineEndpoint({
  operation: 'resend-webhook-delivery',
  method: 'POST',
  path: '/bots/:bot_id/deliveries/:delivery_id/resend',
  access: 'human-member',
  growsObject: true,
  params: { bot_id: pathInteger, delivery_id: pathInteger },
  returns: v.object({}),
  command: resendWebhookDelivery,
  audit: 'step',
})
