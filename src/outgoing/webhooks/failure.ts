import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { actorOf } from '../../model/caller.ts'
import { linkToMessage } from '../../model/messages/read/addresses-of-message.ts'
import { messageAccess } from '../../model/messages/read/message-access.ts'
import { warnBotOwner } from '../../model/sending/warn-bot-owner.ts'
import { mayReadMessage } from '../../rules/message-rules.ts'
import {
  deleteWebhookCall,
  hasWebhookCall,
  textOfCall,
  type WebhookCall,
} from '../../store/bots/webhook-call-rows.ts'
import { findMessage, type IndexedMessage } from '../../store/messages/message-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import { addDeadLetter } from '../add-dead-letter.ts'

/** Gives up a failed call: the bot's owner gets the reason, and owners of the organization can retry it. */
export function giveUpWebhookCall(tx: RealmTransaction, call: WebhookCall, reason: string): void {
  if (!hasWebhookCall(tx.sql, call.id)) return
  const bot = findUser(tx.sql, call.botId)
  addDeadLetter(tx, {
    kind: 'webhook',
    description: `Outgoing webhook of ${bot?.deliveryEmail ?? 'a bot'}`,
    firstTriedAt: call.firstTriedAt,
    attempts: call.attempts,
    error: reason,
    payload: {
      botId: call.botId,
      cause: call.cause,
      message: textOfCall(call),
      origin: call.origin,
      webhookId: call.webhookId,
    },
  })
  failWebhookCall(tx, call, reason)
}

/** Ends a failed call: a notice gives the bot's owner the reason. */
export function failWebhookCall(tx: RealmTransaction, call: WebhookCall, reason: string): void {
  if (!hasWebhookCall(tx.sql, call.id)) return
  deleteWebhookCall(tx.sql, call.id)
  const bot = findUser(tx.sql, call.botId)
  if (!bot?.isActive) return
  const found = 'message' in call ? findMessage(tx.sql, call.message.id) : undefined
  // The message may have been moved to a place that neither the bot nor its owner can read.
  const message = found && isReadBy(tx, bot, found) ? found : undefined
  const kind = 'message' in call ? 'A message' : 'An event'
  const what = message ? `[${kind}](${linkToMessage(tx, message, call.origin)})` : kind
  const lines = `${what} called your bot \`${bot.deliveryEmail}\`, but its webhook failed: ${reason}`
  warnBotOwner(tx, bot, lines, call.origin)
}

/** Whether a user may read the message of a call where it is now. */
export function isReadBy(tx: RealmReads, user: User, message: IndexedMessage): boolean {
  const actor = actorOf(tx.sql, user, tx.now)
  return mayReadMessage(actor, messageAccess(tx, { user, actor }, message))
}
