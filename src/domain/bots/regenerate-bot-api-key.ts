import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { changeApiKey } from '../users/login/change-api-key.ts'
import { requireOwnBot } from './bot-rules.ts'

/** Gives a bot a new key. Source: docs/interface/bots.md#list-and-change-bots. */
export const regenerateBotApiKey: Command<Caller, { readonly bot_id: number }, void, { api_key: string }> = {
  apply(tx, caller, { bot_id }) {
    return { api_key: changeApiKey(tx, requireOwnBot(tx.sql, caller, bot_id)) }
  },
  withoutSecret: {
    keep: () => ({}),
    // Returns the bot's present key.
    restore: ({ sql }, caller, _kept, { bot_id }) => ({ api_key: requireOwnBot(sql, caller, bot_id).apiKey }),
  },
}
