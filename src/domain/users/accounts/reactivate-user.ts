import type { Command } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import { requireMayCreateBot } from '../../../permissions/user-rules.ts'
import { requireFreeName } from '../../bots/bot-rules.ts'
import { changeBotOwner } from '../../bots/change-bot-owner.ts'
import type { Caller } from '../../caller.ts'
import { realmPermissions } from '../../realm/realm-setting-rows.ts'
import { findUser, type User } from '../user-rows.ts'
import { requireUserToAdminister } from '../visibility/access-user.ts'
import { openAccount } from './open-account.ts'

/**
 * Reopens a closed account; an open one stays as it is. Source:
 * docs/interface/users.md#close-and-open-an-account.
 */
export const reactivateUser: Command<Caller, { readonly user_id: number }, void, object> = {
  apply(tx, caller, { user_id }) {
    const user = requireUserToAdminister(tx.sql, caller, user_id)
    if (user.isActive) return {}
    if (user.isDeleted) throw new BadRequestError('Deleted users cannot be reactivated.')
    if (user.botType !== null) requireMayReactivateBot(tx, caller, user, user.botType)
    openAccount(tx, user)
    if (user.botType !== null) adoptOrphan(tx, caller, user)
    return {}
  },
}

/** Requires the right to make such a bot, since reactivating one comes to the same. */
function requireMayReactivateBot(tx: RealmReads, { actor }: Caller, bot: User, botType: number): void {
  requireMayCreateBot(actor, botType, realmPermissions(tx.sql))
  requireFreeName(tx.sql, bot.fullName, bot.id)
}

/** Makes the caller the owner of a bot whose owner's account is closed. */
function adoptOrphan(tx: RealmTransaction, { user: caller }: Caller, bot: User): void {
  const owner = bot.botOwnerId === null ? undefined : findUser(tx.sql, bot.botOwnerId)
  if (!owner?.isActive) changeBotOwner(tx, bot, caller)
}
