import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { secretText } from '../../core/secret-text.ts'
import { DAY } from '../../core/time.ts'
import { newWebhookSecret } from '../../core/webhook-signature.ts'
import { requireOwnWebhook } from '../../model/bots/bot-rules.ts'
import { readerOfCall, webhookMessageFor } from '../../model/bots/webhook-message.ts'
import { requireReadableMessage } from '../../model/messages/read/message-access.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { findWebhookSecret, putWebhookSecret } from '../../store/bots/bot-setting-rows.ts'
import {
  findDelivery,
  hastenWebhookCall,
  insertWebhookCalls,
  isMessageCause,
  listDeliveries,
  type WebhookContent,
  type WebhookDelivery,
} from '../../store/bots/webhook-call-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

/** An event to which a webhook is subscribed: docs/interface/bots.md#event-subscriptions. */
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

/** Lists the latest calls of an outgoing webhook, newest first. Source: docs/interface/bots.md#deliveries. */
export const getWebhookDeliveriesEndpoint = defineEndpoint({
  operation: 'get-webhook-deliveries',
  route: 'GET /bots/:bot_id/deliveries',
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
  query({ sql }, caller, { bot_id }) {
    const bot = requireOwnWebhook(sql, caller, bot_id)
    return { deliveries: listDeliveries(sql, bot.id).map(present) }
  },
})

function present(delivery: WebhookDelivery) {
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

/**
 * Repeats a call of an outgoing webhook, with all its attempts and the current message; a call that waits for its next attempt is made at
 * once. Source: docs/interface/bots.md#deliveries.
 */
export const resendWebhookDeliveryEndpoint = defineEndpoint({
  operation: 'resend-webhook-delivery',
  route: 'POST /bots/:bot_id/deliveries/:delivery_id/resend',
  access: 'human-member',
  growsObject: true,
  params: { bot_id: pathInteger, delivery_id: pathInteger },
  command: {
    asks: true,
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
      tx.schedule({ kind: 'call-webhooks', key: '', dueAt: tx.now })
    },
  },
  audit: 'step',
})

/** Returns the event as it was, or the message as the bot may read it now. */
function contentOf(tx: RealmReads, bot: User, { cause, messageId, event }: WebhookDelivery): WebhookContent {
  if (!isMessageCause(cause)) return { cause, event: event! }
  const reader = readerOfCall(tx, bot, tx.origin)
  const stored = requireReadableMessage(tx, reader, messageId!)
  const { content, renderedContent: html } = tx.bodyOf(stored)
  return { cause, message: webhookMessageFor(tx, reader, stored, { content, html }) }
}

/** Seconds for which the former secret still signs, until receivers have the new one. */
const FORMER_SECONDS = DAY

interface RenewedSecret {
  readonly webhook_secret: string
  /** UNIX seconds. */
  readonly former_valid_until: number
}

/**
 * Gives an outgoing webhook a new secret for signing its calls, which only this answer shows; the former one also signs for a day. Parley's
 * own. Source: docs/interface/bots.md#signatures.
 */
export const renewWebhookSecretEndpoint = defineEndpoint({
  operation: 'renew-webhook-secret',
  route: 'POST /bots/:bot_id/webhook_secret',
  access: 'human-member',
  needsProof: true,
  params: { bot_id: pathInteger },
  returns: v.object({ webhook_secret: secretText(), former_valid_until: v.number() }),
  command: {
    apply(tx, caller, { bot_id }): RenewedSecret {
      const bot = requireOwnWebhook(tx.sql, caller, bot_id)
      const former = findWebhookSecret(tx.sql, bot.id)?.secret ?? null
      const formerUntil = Math.floor(tx.now) + FORMER_SECONDS
      const secret = newWebhookSecret(tx)
      putWebhookSecret(tx.sql, bot.id, { secret, former, formerUntil })
      return { webhook_secret: secret, former_valid_until: formerUntil }
    },
    withoutSecret: {
      keep: ({ former_valid_until }) => ({ former_valid_until }),
      restore({ sql }, caller, kept, { bot_id }) {
        const { id } = requireOwnWebhook(sql, caller, bot_id)
        return { ...(kept as RenewedSecret), webhook_secret: findWebhookSecret(sql, id)!.secret }
      },
    },
  },
  audit: ({ params }) => ({ action: 'key_renewed', details: { user_id: params.bot_id, webhook: true } }),
})
