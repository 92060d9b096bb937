import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { requireOwnBot } from '../../model/bots/bot-rules.ts'
import type { Caller } from '../../model/caller.ts'

/** Gets a bot's key, for its owner or an administrator. Source: docs/interface/bots.md#list-and-change-bots. */
export const getBotApiKeyEndpoint = defineEndpoint({
  operation: 'get-bot-api-key',
  method: 'GET',
  path: '/bots/:bot_id/api_key',
  access: 'human-member',
  params: { bot_id: pathInteger },
  returns: v.object({ api_key: v.string() }),
  command: { apply: getBotApiKey },
  audit: ({ params }) => ({ action: 'key_read', details: { user_id: params.bot_id } }),
})

function getBotApiKey(
  tx: RealmTransaction,
  caller: Caller,
  { bot_id }: { readonly bot_id: number },
): { readonly api_key: string } {
  return { api_key: requireOwnBot(tx.sql, caller, bot_id).apiKey }
}
