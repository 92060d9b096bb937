import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { newWebhookSecret } from '../../core/webhook-signature.ts'
import { putWebhookSecret } from '../../store/bots/webhook-secret-rows.ts'

/** Gives an outgoing webhook a secret that replaces another at once, and returns it. */
export function giveWebhookSecret(tx: RealmTransaction, botId: number): string {
  const secret = newWebhookSecret(tx)
  putWebhookSecret(tx.sql, botId, { secret, former: null, formerUntil: null })
  return secret
}
