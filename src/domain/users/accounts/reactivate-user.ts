import type { Command } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import type { StoredRealmUserEvent } from '../../../events/realm-user.ts'
import { requireMayCreateBot } from '../../../permissions/user-rules.ts'
import { announceBotChange } from '../../bots/announce-bot.ts'
import { requireFreeName } from '../../bots/bot-rules.ts'
import { changeBotOwner } from '../../bots/change-bot-owner.ts'
import type { Caller } from '../../caller.ts'
import { announceExportConsent } from '../../exports/announce-exports.ts'
import { realmPermissions } from '../../realm/realm-setting-rows.ts'
import { presentPosition } from '../../subscriptions/position.ts'
import { emitGroupsOfReturn } from '../../user-groups/emit-groups-of-account.ts'
import { scheduleFullMembership } from '../../user-groups/full-member-age.ts'
import { changeUser, findUser, type User } from '../user-rows.ts'
import { requireUserToAdminister } from '../visibility/access-user.ts'
import { userAudience } from '../visibility/user-audience.ts'
import { announceMembership } from './channel-membership.ts'
import { resumeSubscriptions } from './pause-rows.ts'

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

function openAccount(tx: RealmTransaction, user: User): void {
  changeUser(tx.sql, user.id, { isActive: true })
  const event: StoredRealmUserEvent = {
    type: 'realm_user',
    op: 'update',
    person: { user_id: user.id, is_active: true },
  }
  tx.emit(event, userAudience(tx, user))
  announceBotChange(tx, user, { is_active: true })
  announceMembership(tx, user, 'peer_add')
  resumeSubscriptions(tx.sql, user.id, presentPosition(tx))
  emitGroupsOfReturn(tx, user)
  announceExportConsent(tx, user)
  scheduleFullMembership(tx, { ...user, isActive: true })
}

/** Makes the caller the owner of a bot whose owner's account is closed. */
function adoptOrphan(tx: RealmTransaction, { user: caller }: Caller, bot: User): void {
  const owner = bot.botOwnerId === null ? undefined : findUser(tx.sql, bot.botOwnerId)
  if (!owner?.isActive) changeBotOwner(tx, bot, caller)
}
