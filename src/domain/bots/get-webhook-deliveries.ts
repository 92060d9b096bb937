import type { ReadCommand } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { requireOwnWebhook } from './bot-rules.ts'
import { listDeliveries, type WebhookDelivery } from './webhook-delivery-rows.ts'

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

/** Gets the last calls of an outgoing webhook, newest first. Source: docs/interface/bots.md#deliveries. */
export const getWebhookDeliveries: ReadCommand<Caller, { readonly bot_id: number }, void, DeliveriesAnswer> =
  {
    reads: true,
    apply({ sql }, caller, { bot_id }) {
      const bot = requireOwnWebhook(sql, caller, bot_id)
      return { deliveries: listDeliveries(sql, bot.id).map(present) }
    },
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
