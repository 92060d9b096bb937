import { isAdministrator } from '../../permissions/roles.ts'
import { presentBot } from '../users/present-bot.ts'
import { listBots, listBotsOwnedBy } from '../users/user-rows.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `realm_bot`: the caller's bots, for administrators everybody's. */
export const realmBotSnapshot: Snapshot = ({ sql, realm }, { user }) => ({
  realm_bots: (isAdministrator(user) ? listBots(sql) : listBotsOwnedBy(sql, user.id)).map((bot) =>
    presentBot(bot, realm),
  ),
})
