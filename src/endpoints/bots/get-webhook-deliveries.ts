import * as v from 'valibot'
import { getWebhookDeliveries } from '../../domain/bots/get-webhook-deliveries.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/**
 * Gets the last hundred tries to call an outgoing webhook, newest first. Parley's own. Source: docs/interface/bots.md#deliveries.
 */
export const getWebhookDeliveriesEndpoint = defineEndpoint({
  operation: 'get-webhook-deliveries',
  method: 'GET',
  path: '/bots/:bot_id/deliveries',
  access: 'human-member',
  params: { bot_id: pathInteger },
  returns: v.object({
    deliveries: v.array(
      v.object({
        id: v.number(),
        webhook_id: v.string(),
        trigger: v.string(),
        message_id: v.nullable(v.number()),
        event: v.nullable(v.looseObject({ op: v.string(), timestamp: v.number() })),
        timestamp: v.number(),
        attempt: v.number(),
        status: v.nullable(v.number()),
        ms: v.number(),
        answer: v.string(),
        error: v.nullable(v.string()),
      }),
    ),
  }),
  command: getWebhookDeliveries,
})
