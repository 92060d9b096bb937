import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { requireFreeName } from '../../model/bots/bot-rules.ts'
import { changeBotOwner } from '../../model/bots/change-bot-owner.ts'
import type { Caller } from '../../model/caller.ts'
import { openAccount } from '../../model/users/accounts/close-account.ts'
import { requireUserToAdminister } from '../../model/users/visibility/visible-users.ts'
import { requireMayCreateBot } from '../../rules/user-rules.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'

/**
 * Reopens a closed account; an open one stays as it is. Source:
 * docs/interface/users.md#close-and-open-an-account.
 */
export const reactivateUserEndpoint = defineEndpoint({
  operation: 'reactivate-user',
  method: 'POST',
  path: '/users/:user_id/reactivate',
  access: 'user',
  params: { user_id: pathInteger },
  returns: v.object({}),
  command: { apply: reactivateUser },
  audit: {
    whenChanged: ({ params }) => ({
      action: 'user_reactivated',
      details: { user_id: params.user_id },
    }),
  },
})

function reactivateUser(
  tx: RealmTransaction,
  caller: Caller,
  { user_id }: { readonly user_id: number },
): object {
  const user = requireUserToAdminister(tx.sql, caller, user_id)
  if (user.isActive) return {}
  if (user.isDeleted) throw new BadRequestError('Deleted users cannot be reactivated.')
  if (user.botType !== null) requireMayReactivateBot(tx, caller, user, user.botType)
  openAccount(tx, user)
  if (user.botType !== null) adoptOrphan(tx, caller, user)
  return {}
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
