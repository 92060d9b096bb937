import * as v from 'valibot'
import { getBotApiKey } from '../../domain/bots/get-bot-api-key.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Gets a bot's key; the audit log records it. Source: docs/interface/bots.md#list-and-change-bots. */
export const getBotApiKeyEndpoint = defineEndpoint({
  operation: 'get-bot-api-key',
  method: 'GET',
  path: '/bots/:bot_id/api_key',
  access: 'human-member',
  params: { bot_id: pathInteger },
  returns: v.object({ api_key: v.string() }),
  command: getBotApiKey,
  audit: ({ params }) => ({ action: 'key_read', details: { user_id: params.bot_id } }),
})
