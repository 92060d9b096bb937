import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { requireOwnBot } from '../../model/bots/bot-rules.ts'
import type { Caller } from '../../model/caller.ts'
import { closeAccount } from '../../model/users/accounts/close-account.ts'

/** Closes a bot's account; a closed one stays so. Source: docs/interface/bots.md#list-and-change-bots. */
export const deactivateBotEndpoint = defineEndpoint({
  operation: 'deactivate-bot',
  method: 'DELETE',
  path: '/bots/:bot_id',
  access: 'human-member',
  params: { bot_id: pathInteger },
  returns: v.object({}),
  command: { apply: deactivateBot },
  audit: ({ params }) => ({
    action: 'user_deactivated',
    details: { user_id: params.bot_id },
  }),
})

function deactivateBot(
  tx: RealmTransaction,
  caller: Caller,
  { bot_id }: { readonly bot_id: number },
): object {
  const bot = requireOwnBot(tx.sql, caller, bot_id)
  if (bot.isActive) closeAccount(tx, bot)
  return {}
}
