import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../caller.ts'
import { requireReadableMessage } from '../messages/read/message-access.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import type { User } from '../users/user-rows.ts'
import { requireOwnWebhook } from './bot-rules.ts'
import { DELIVER_WEBHOOK_CALLS } from './enqueue-calls.ts'
import {
  hastenWebhookCall,
  insertWebhookCalls,
  isMessageCause,
  type WebhookContent,
} from './webhook-call-rows.ts'
import { findDelivery, type WebhookDelivery } from './webhook-delivery-rows.ts'
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
    const { webhookId } = delivery
    if (!hastenWebhookCall(tx.sql, bot.id, webhookId, tx.now)) {
      const call = { ...contentOf(tx, bot, delivery), origin: caller.source.origin, webhookId }
      const insert = () => insertWebhookCalls(tx.sql, [bot.id], call, tx.now)
      withinQuota(tx, caller, 'webhookCalls', insert, bot.id)
    }
    tx.schedule({ kind: DELIVER_WEBHOOK_CALLS, key: '', dueAt: tx.now })
    return {}
  },
}

/** Returns an event as it was, or a message as the bot may read it now. */
function contentOf(tx: RealmReads, bot: User, { cause, messageId, event }: WebhookDelivery): WebhookContent {
  if (!isMessageCause(cause)) return { cause, event: event! }
  const reader = readerOfCall(tx, bot, tx.origin)
  const stored = requireReadableMessage(tx, reader, messageId!)
  const { content, renderedContent: html } = tx.bodyOf(stored)
  return { cause, message: webhookMessageFor(tx, reader, stored, { content, html }) }
}
