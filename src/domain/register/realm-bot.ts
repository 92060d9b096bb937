import { isAdministrator } from '../../permissions/roles.ts'
import { presentBot } from '../bots/present-bot.ts'
import { listBots, listBotsOwnedBy } from '../users/user-rows.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `realm_bot`: the caller's bots, for administrators everybody's. */
export const realmBotSnapshot: Snapshot = (tx, { user }) => ({
  realm_bots: (isAdministrator(user) ? listBots(tx.sql) : listBotsOwnedBy(tx.sql, user.id)).map((bot) =>
    presentBot(tx, bot, user),
  ),
})
