import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import type { Command } from '../../core/command.ts'
import { requireOwnBot } from '../../model/bots/bot-rules.ts'
import type { Caller } from '../../model/caller.ts'
import { changeApiKey } from '../../model/users/login/change-api-key.ts'

/** Gives a bot a new key. Source: docs/interface/bots.md#list-and-change-bots. */
const regenerateBotApiKey: Command<Caller, { readonly bot_id: number }, void, { api_key: string }> = {
  apply(tx, caller, { bot_id }) {
    return { api_key: changeApiKey(tx, requireOwnBot(tx.sql, caller, bot_id)) }
  },
  withoutSecret: {
    keep: () => ({}),
    // Returns the bot's present key.
    restore: ({ sql }, caller, _kept, { bot_id }) => ({ api_key: requireOwnBot(sql, caller, bot_id).apiKey }),
  },
}

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
