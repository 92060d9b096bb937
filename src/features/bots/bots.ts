import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import type { Command } from '../../core/command.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { botSchema } from '../../events/realm-user.ts'
import { requireOwnBot } from '../../model/bots/bot-rules.ts'
import { presentBots } from '../../model/bots/present-bot.ts'
import type { Caller } from '../../model/caller.ts'
import { closeAccount } from '../../model/users/accounts/close-account.ts'
import { changeApiKey } from '../../model/users/login/api-key.ts'
import { listShownBots, type ShownBot } from '../../store/users/shown-bot-rows.ts'

/**
 * The caller's own bots, with their keys at every level: level 474 of the public API, which took keys and fields of the account from
 * registrations and events (core/forms-by-level.ts), left this answer as it was. Source: docs/interface/bots.md#list-and-change-bots.
 */
export const getBotsEndpoint = defineEndpoint({
  operation: 'get-bots',
  method: 'GET',
  path: '/bots',
  access: 'human-member',
  params: {},
  largeAnswer: true,
  returns: v.object({ bots: v.array(v.object({ username: v.string(), ...botSchema.entries })) }),
  command: { reads: true, apply: getBots },
})

/** Lists the caller's own active bots. Source: docs/interface/bots.md#list-and-change-bots. */
function getBots(view: RealmReads, { user }: Caller): { bots: object[] } {
  const bots = listShownBots(view.sql, user.id).filter(({ isActive }) => isActive)
  const withUserName = ({ deliveryEmail }: ShownBot, presented: object) => ({
    username: deliveryEmail,
    ...presented,
  })
  return { bots: presentBots(view, bots, user, withUserName) }
}

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
