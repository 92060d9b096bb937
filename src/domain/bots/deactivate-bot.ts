import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { closeAccount } from '../users/accounts/close-account.ts'
import { requireOwnBot } from './bot-rules.ts'

/** Closes a bot's account; a closed one stays so. Source: docs/interface/bots.md#list-and-change-bots. */
export const deactivateBot: Command<Caller, { readonly bot_id: number }, void, object> = {
  apply(tx, caller, { bot_id }) {
    const bot = requireOwnBot(tx.sql, caller, bot_id)
    if (bot.isActive) closeAccount(tx, bot)
    return {}
  },
}
