import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { requireOwnWebhook } from '../../model/bots/bot-rules.ts'
import type { Caller } from '../../model/caller.ts'
import { listDeliveries, type WebhookDelivery } from '../../store/bots/webhook-delivery-rows.ts'

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

/** Gets the last calls of an outgoing webhook, newest first. Source: docs/interface/bots.md#deliveries. */
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
  command: { reads: true, apply: getWebhookDeliveries },
})

/** A try of a call for its bot's owner. Time in UNIX seconds. */
interface PresentedDelivery {
  readonly id: number
  readonly webhook_id: string
  readonly trigger: string
  readonly message_id: number | null
  readonly event: object | null
  readonly timestamp: number
  readonly attempt: number
  readonly status: number | null
  readonly ms: number
  readonly answer: string
  readonly error: string | null
}

interface DeliveriesAnswer {
  readonly deliveries: readonly PresentedDelivery[]
}

function getWebhookDeliveries(
  { sql }: RealmReads,
  caller: Caller,
  { bot_id }: { readonly bot_id: number },
): DeliveriesAnswer {
  const bot = requireOwnWebhook(sql, caller, bot_id)
  return { deliveries: listDeliveries(sql, bot.id).map(present) }
}

function present(delivery: WebhookDelivery): PresentedDelivery {
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    trigger: delivery.cause,
    message_id: delivery.messageId,
    event: delivery.event,
    timestamp: delivery.at,
    attempt: delivery.attempt,
    status: delivery.status,
    ms: delivery.ms,
    answer: delivery.answer,
    error: delivery.error,
  }
}
