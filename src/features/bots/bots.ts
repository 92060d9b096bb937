import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { secretText } from '../../core/secret-text.ts'
import { botSchema, withoutSecrets } from '../../events/realm-user.ts'
import { closeAccount } from '../../model/accounts/close-account.ts'
import { changeApiKey } from '../../model/accounts/login/api-key.ts'
import { requireManagedBot, requireOwnBot } from '../../model/bots/bot-rules.ts'
import { presentBots } from '../../model/bots/present-bot.ts'
import { listShownBots, type ShownBot } from '../../store/users/shown-bot-rows.ts'

/**
 * Lists the caller's own active bots, with their keys at every level: level 474 of the public API removed keys and account fields from
 * registrations and events (core/representations-by-level.ts), but not from this answer. A browser gets a key from `get-bot-api-key` alone. Source: docs/interface/bots.md#list-and-change-bots.
 */
export const getBotsEndpoint = defineEndpoint({
  operation: 'get-bots',
  route: 'GET /bots',
  access: 'human-member',
  largeAnswer: true,
  returns: v.object({ bots: v.array(v.object({ username: v.string(), ...botSchema.entries })) }),
  query(view, { user, source }) {
    const bots = listShownBots(view.sql, user.id).filter(({ isActive }) => isActive)
    const withUserName = ({ deliveryEmail }: ShownBot, presented: object) => ({
      username: deliveryEmail,
      ...(source.session === undefined ? presented : withoutSecrets(presented)),
    })
    return { bots: presentBots(view, bots, user, withUserName) }
  },
})

/** Closes a bot's account; no error if it is closed already. Source: docs/interface/bots.md#list-and-change-bots. */
export const deactivateBotEndpoint = defineEndpoint({
  operation: 'deactivate-bot',
  route: 'DELETE /bots/:bot_id',
  access: 'human-member',
  params: { bot_id: pathInteger },
  apply(tx, caller, { bot_id }) {
    const bot = requireManagedBot(tx.sql, caller, bot_id)
    if (bot.isActive) closeAccount(tx, bot)
  },
  audit: ({ params }) => ({
    action: 'user_deactivated',
    details: { user_id: params.bot_id },
  }),
})

/** Gets a bot's key, for its owner. Source: docs/interface/bots.md#list-and-change-bots. */
export const getBotApiKeyEndpoint = defineEndpoint({
  operation: 'get-bot-api-key',
  route: 'GET /bots/:bot_id/api_key',
  access: 'human-member',
  needsProof: true,
  params: { bot_id: pathInteger },
  returns: v.object({ api_key: secretText() }),
  apply: (tx, caller, { bot_id }) => ({ api_key: requireOwnBot(tx.sql, caller, bot_id).apiKey }),
  audit: ({ params }) => ({ action: 'key_read', details: { user_id: params.bot_id } }),
})

/** Gives a bot a new key; the old one is invalid at once. Source: docs/interface/bots.md#list-and-change-bots. */
export const regenerateBotApiKeyEndpoint = defineEndpoint({
  operation: 'regenerate-bot-api-key',
  route: 'POST /bots/:bot_id/api_key/regenerate',
  access: 'human-member',
  needsProof: true,
  params: { bot_id: pathInteger },
  returns: v.object({ api_key: secretText() }),
  command: {
    apply(tx, caller, { bot_id }) {
      return { api_key: changeApiKey(tx, requireOwnBot(tx.sql, caller, bot_id)) }
    },
    withoutSecret: {
      keep: () => ({}),
      // Returns the bot's current key.
      restore: ({ sql }, caller, _kept, { bot_id }) => ({
        api_key: requireOwnBot(sql, caller, bot_id).apiKey,
      }),
    },
  },
  audit: ({ params }) => ({
    action: 'key_renewed',
    details: { user_id: params.bot_id },
  }),
})
