import * as v from 'valibot'
import { renewWebhookSecret } from '../../domain/bots/renew-webhook-secret.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

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
