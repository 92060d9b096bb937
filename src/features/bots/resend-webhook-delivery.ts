import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { requireOwnWebhook } from '../../model/bots/bot-rules.ts'
import { DELIVER_WEBHOOK_CALLS } from '../../model/bots/enqueue-calls.ts'
import { readerOfCall, webhookMessageFor } from '../../model/bots/webhook-request.ts'
import type { Caller } from '../../model/caller.ts'
import { requireReadableMessage } from '../../model/messages/read/message-access.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import {
  hastenWebhookCall,
  insertWebhookCalls,
  isMessageCause,
  type WebhookContent,
} from '../../store/bots/webhook-call-rows.ts'
import { findDelivery, type WebhookDelivery } from '../../store/bots/webhook-delivery-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

/**
 * Makes a call of an outgoing webhook again, with all its tries and the message as it is now; one that waits for its next try is made at
 * once. Source: docs/interface/bots.md#deliveries.
 */
export const resendWebhookDeliveryEndpoint = defineEndpoint({
  operation: 'resend-webhook-delivery',
  method: 'POST',
  path: '/bots/:bot_id/deliveries/:delivery_id/resend',
  access: 'human-member',
  growsObject: true,
  params: { bot_id: pathInteger, delivery_id: pathInteger },
  returns: v.object({}),
  command: { readsBodies: true, apply: resendWebhookDelivery },
  audit: 'step',
})

interface ResendWebhookDeliveryParams {
  readonly bot_id: number
  readonly delivery_id: number
}

function resendWebhookDelivery(
  tx: RealmTransaction,
  caller: Caller,
  { bot_id, delivery_id }: ResendWebhookDeliveryParams,
): object {
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
}

/** Returns an event as it was, or a message as the bot may read it now. */
function contentOf(tx: RealmReads, bot: User, { cause, messageId, event }: WebhookDelivery): WebhookContent {
  if (!isMessageCause(cause)) return { cause, event: event! }
  const reader = readerOfCall(tx, bot, tx.origin)
  const stored = requireReadableMessage(tx, reader, messageId!)
  const { content, renderedContent: html } = tx.bodyOf(stored)
  return { cause, message: webhookMessageFor(tx, reader, stored, { content, html }) }
}
