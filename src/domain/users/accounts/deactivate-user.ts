import type { Command } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { StoredRealmUserEvent } from '../../../events/realm-user.ts'
import { isAdministrator } from '../../../permissions/roles.ts'
import { requireMayDeactivateUser } from '../../../permissions/user-rules.ts'
import { announceBotChange } from '../../bots/announce-bot.ts'
import { deleteBrowserSessionsOf } from '../../browser-sessions/browser-session-rows.ts'
import type { Caller } from '../../caller.ts'
import { deleteClientDevicesOf } from '../../client-devices/client-device-rows.ts'
import { renewExportAddresses } from '../../exports/renew-export-addresses.ts'
import { revokeInvitationsOf } from '../../invitations/revoke-invitations-of.ts'
import { deleteAllWebPush } from '../../push/web-push-rows.ts'
import { presentPosition } from '../../subscriptions/position.ts'
import { emitGroupsOfDeparture } from '../../user-groups/emit-groups-of-account.ts'
import { endQueues } from '../login/end-sessions.ts'
import { changeUser, isOnlyOwner, listBotsOwnedBy, type User } from '../user-rows.ts'
import { requireUserToAdminister } from '../visibility/access-user.ts'
import { strangersTo, userAudience } from '../visibility/user-audience.ts'
import { announceMembership } from './channel-membership.ts'
import { mailDeactivation } from './deactivation-mail.ts'
import { pauseSubscriptions } from './pause-rows.ts'

export interface DeactivateUserParams {
  readonly user_id: number
  /** If present, the user is notified by mail; empty: without a comment. */
  readonly deactivation_notification_comment?: string
}

/**
 * Closes a person's account; bots have an endpoint of their own. Source:
 * docs/interface/users.md#close-and-open-an-account.
 */
export const deactivateUser: Command<Caller, DeactivateUserParams, void, object> = {
  apply(tx, caller, { user_id, deactivation_notification_comment: comment }) {
    const user = requireUserToAdminister(tx.sql, caller, user_id)
    if (user.botType !== null) throw new BadRequestError('No such user')
    if (!user.isActive) throw new BadRequestError('User is deactivated')
    requireMayDeactivateUser(caller.actor, { ...user, isOnlyOwner: isOnlyOwner(tx.sql, user) })
    deactivateWithBots(tx, user)
    if (comment !== undefined) mailDeactivation(tx, caller, user, comment)
    return {}
  },
}

/** Closes the account, and its bots, which would have no owner any more. */
export function deactivateWithBots(tx: RealmTransaction, user: User): void {
  closeAccount(tx, user)
  revokeInvitationsOf(tx, user)
  for (const bot of listBotsOwnedBy(tx.sql, user.id)) {
    if (bot.isActive) closeAccount(tx, bot)
  }
}

/**
 * Closes one account. Subscriptions stay, hidden, and continue when the account is reopened: messages sent
 * meanwhile are not received. Groups keep their rows too; reads leave deactivated users out.
 */
export function closeAccount(tx: RealmTransaction, user: User): void {
  changeUser(tx.sql, user.id, { isActive: false })
  deleteClientDevicesOf(tx.sql, user.id)
  deleteBrowserSessionsOf(tx.sql, user.id)
  deleteAllWebPush(tx.sql, user.id)
  endQueues(tx, user.id)
  const event: StoredRealmUserEvent = {
    type: 'realm_user',
    op: 'update',
    person: { user_id: user.id, is_active: false },
  }
  tx.emit(event, userAudience(tx, user))
  announceBotChange(tx, user, { is_active: false })
  announceMembership(tx, user, 'peer_remove')
  emitGroupsOfDeparture(tx, user, strangersTo(tx, user))
  pauseSubscriptions(tx.sql, user.id, presentPosition(tx))
  if (isAdministrator(user)) renewExportAddresses(tx)
}
