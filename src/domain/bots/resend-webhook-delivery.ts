import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { requireReadableMessage } from '../messages/read/message-access.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { requireOwnWebhook } from './bot-rules.ts'
import { DELIVER_WEBHOOK_CALLS } from './enqueue-webhook-calls.ts'
import { hastenWebhookCall, insertWebhookCalls } from './webhook-call-rows.ts'
import { findDelivery } from './webhook-delivery-rows.ts'
import { readerOfCall, webhookMessageFor } from './webhook-message.ts'

export interface ResendWebhookDeliveryParams {
  readonly bot_id: number
  readonly delivery_id: number
}

/**
 * Makes a call of an outgoing webhook again, with all its tries and the message as it is now; one that waits for its next try is made at
 * once. Source: docs/interface/bots.md#deliveries.
 */
export const resendWebhookDelivery: Command<Caller, ResendWebhookDeliveryParams, void, object> = {
  readsBodies: true,

  apply(tx, caller, { bot_id, delivery_id }) {
    const bot = requireOwnWebhook(tx.sql, caller, bot_id)
    const delivery = findDelivery(tx.sql, bot.id, delivery_id)
    if (!delivery || !bot.isActive) throw new BadRequestError('No such delivery')
    const { webhookId, cause } = delivery
    const { origin } = caller.source
    if (!hastenWebhookCall(tx.sql, bot.id, webhookId, tx.now)) {
      const reader = readerOfCall(tx, bot, origin)
      const stored = requireReadableMessage(tx, reader, delivery.messageId)
      const { content, renderedContent: html } = tx.bodyOf(stored)
      const message = webhookMessageFor(tx, reader, stored, { content, html })
      withinQuota(
        tx,
        caller,
        'webhookCalls',
        () => insertWebhookCalls(tx.sql, [bot.id], { cause, message, origin, webhookId }, tx.now),
        bot.id,
      )
    }
    tx.schedule({ kind: DELIVER_WEBHOOK_CALLS, key: '', dueAt: tx.now })
    return {}
  },
}
