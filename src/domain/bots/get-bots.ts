import type { ReadCommand } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { listBotsOwnedBy } from '../users/user-rows.ts'
import { presentBot } from './present-bot.ts'

/** Lists the caller's own active bots. Source: docs/interface/bots.md#list-and-change-bots. */
export const getBots: ReadCommand<Caller, unknown, void, { bots: object[] }> = {
  reads: true,
  apply(view, { user }) {
    const bots = listBotsOwnedBy(view.sql, user.id).filter(({ isActive }) => isActive)
    return { bots: bots.map((bot) => ({ username: bot.deliveryEmail, ...presentBot(view, bot, user) })) }
  },
}
