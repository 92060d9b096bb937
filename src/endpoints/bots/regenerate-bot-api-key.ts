import * as v from 'valibot'
import { regenerateBotApiKey } from '../../domain/bots/regenerate-bot-api-key.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/**
 * Gives a bot a new key; the old one is invalid at once. Source: docs/interface/bots.md#list-and-change-bots.
 */
export const regenerateBotApiKeyEndpoint = defineEndpoint({
  operation: 'regenerate-bot-api-key',
  method: 'POST',
  path: '/bots/:bot_id/api_key/regenerate',
  access: 'human-member',
  params: { bot_id: pathInteger },
  returns: v.object({ api_key: v.string() }),
  command: regenerateBotApiKey,
  audit: ({ params }) => ({
    action: 'key_renewed',
    details: { user_id: params.bot_id },
  }),
})
