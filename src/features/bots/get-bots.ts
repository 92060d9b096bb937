import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { botSchema } from '../../events/realm-bot.ts'
import { presentBots } from '../../model/bots/present-bot.ts'
import type { Caller } from '../../model/caller.ts'
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
