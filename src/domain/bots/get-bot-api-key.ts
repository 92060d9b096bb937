import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { requireOwnBot } from './bot-rules.ts'

/** Gets a bot's key, for its owner or an administrator. Source: docs/interface/bots.md#list-and-change-bots. */
export const getBotApiKey: Command<Caller, { readonly bot_id: number }, void, { readonly api_key: string }> =
  {
    apply: (tx, caller, { bot_id }) => ({ api_key: requireOwnBot(tx.sql, caller, bot_id).apiKey }),
  }
