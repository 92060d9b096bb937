import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import type { Command } from '../../core/command.ts'
import { DAY } from '../../core/time.ts'
import { newWebhookSecret } from '../../core/webhook-signature.ts'
import { requireOwnWebhook } from '../../model/bots/bot-rules.ts'
import type { Caller } from '../../model/caller.ts'
import { findWebhookSecret, putWebhookSecret } from '../../store/bots/webhook-secret-rows.ts'

/** Seconds for which a secret signs after it was renewed: receivers get the new one meanwhile. */
const FORMER_SECONDS = DAY

interface RenewedSecret {
  readonly webhook_secret: string
  /** UNIX seconds. */
  readonly former_valid_until: number
}

/**
 * Gives an outgoing webhook a new secret, which this answer alone shows. Source: docs/interface/bots.md#signatures.
 */
const renewWebhookSecret: Command<Caller, { readonly bot_id: number }, void, RenewedSecret> = {
  apply(tx, caller, { bot_id }) {
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
}

/**
 * Gives an outgoing webhook a new secret, with which its calls are signed; the former one signs beside it for a day. Parley's own. Source:
 * docs/interface/bots.md#signatures.
 */
export const renewWebhookSecretEndpoint = defineEndpoint({
  operation: 'renew-webhook-secret',
  method: 'POST',
  path: '/bots/:bot_id/webhook_secret',
  access: 'human-member',
  params: { bot_id: pathInteger },
  returns: v.object({ webhook_secret: v.string(), former_valid_until: v.number() }),
  command: renewWebhookSecret,
  audit: ({ params }) => ({ action: 'key_renewed', details: { user_id: params.bot_id, webhook: true } }),
})
