import * as v from 'valibot'
import { deactivateBot } from '../../domain/bots/deactivate-bot.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Closes a bot's account. Source: docs/interface/bots.md#list-and-change-bots. */
export const deactivateBotEndpoint = defineEndpoint({
  operation: 'deactivate-bot',
  method: 'DELETE',
  path: '/bots/:bot_id',
  access: 'human-member',
  params: { bot_id: pathInteger },
  returns: v.object({}),
  command: deactivateBot,
  audit: ({ params }) => ({
    action: 'user_deactivated',
    details: { user_id: params.bot_id },
  }),
})
