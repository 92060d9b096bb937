import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { escapeName } from '../../markdown/mention-text.ts'
import { sendNotice } from '../../model/messages/send/send-notice.ts'
import {
  changeIncomingWebhook,
  incomingWebhook,
  type WebhookFailure,
} from '../../store/integrations/incoming-webhook-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'

/** Seconds between two notices of one kind, since a service goes on posting what it posts. */
const SECONDS_BETWEEN = DAY

/** Notifies a bot's owner of a failure, at most once a day of each kind. `origin`: `https://chat.example.com`. */
export function notifyOwner(
  tx: RealmTransaction,
  bot: User,
  failure: WebhookFailure,
  what: string,
  origin: string,
): void {
  const owner = bot.botOwnerId === null ? undefined : findUser(tx.sql, bot.botOwnerId)
  if (!owner?.isActive) return
  const { notifiedAt } = incomingWebhook(tx.sql, bot.id)
  const last = notifiedAt[failure]
  if (last !== undefined && tx.now - last < SECONDS_BETWEEN) return
  changeIncomingWebhook(tx.sql, bot.id, { notifiedAt: { ...notifiedAt, [failure]: Math.floor(tx.now) } })
  const content = `Your bot ${escapeName(bot.fullName)} (\`${bot.deliveryEmail}\`) ${what}`
  sendNotice(tx, { to: { user: owner }, content, origin })
}
