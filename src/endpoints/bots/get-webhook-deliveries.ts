import * as v from 'valibot'
import { getWebhookDeliveries } from '../../domain/bots/get-webhook-deliveries.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** An event that a webhook is subscribed to: docs/interface/bots.md#event-subscriptions. */
const subscribedEvent = v.object({
  op: v.string(),
  timestamp: v.number(),
  user_id: v.optional(v.number()),
  message_id: v.optional(v.number()),
  stream_id: v.optional(v.nullable(v.number())),
  emoji_name: v.optional(v.string()),
  emoji_code: v.optional(v.string()),
  reaction_type: v.optional(v.string()),
  subscriptions: v.optional(v.array(v.object({ stream_id: v.number(), user_ids: v.array(v.number()) }))),
})

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
        event: v.nullable(subscribedEvent),
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
