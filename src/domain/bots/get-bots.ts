import type { ReadCommand } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { listShownBots, type ShownBot } from '../users/shown-bot-rows.ts'
import { presentBots } from './present-bot.ts'

/** Lists the caller's own active bots. Source: docs/interface/bots.md#list-and-change-bots. */
export const getBots: ReadCommand<Caller, unknown, void, { bots: object[] }> = {
  reads: true,
  apply(view, { user }) {
    const bots = listShownBots(view.sql, user.id).filter(({ isActive }) => isActive)
    const withUserName = ({ deliveryEmail }: ShownBot, presented: object) => ({
      username: deliveryEmail,
      ...presented,
    })
    return { bots: presentBots(view, bots, user, withUserName) }
  },
}
