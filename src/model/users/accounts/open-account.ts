import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { StoredRealmUserEvent } from '../../../events/realm-user.ts'
import { keepScimUser } from '../../../store/scim/scim-user-rows.ts'
import { resumeSubscriptions } from '../../../store/users/accounts/pause-rows.ts'
import { changeUser, type User } from '../../../store/users/user-rows.ts'
import { announceBotChange } from '../../bots/announce-bot.ts'
import { announceExportConsent } from '../../exports/announce-exports.ts'
import { presentPosition } from '../../subscriptions/position.ts'
import { emitGroupsOfReturn } from '../../user-groups/emit-groups-of-account.ts'
import { scheduleFullMembership } from '../../user-groups/full-member-age.ts'
import { userAudience } from '../visibility/user-audience.ts'
import { announceMembership } from './channel-membership.ts'

/** Opens a closed account, and notifies everybody. An identity provider that has deleted it finds it again. */
export function openAccount(tx: RealmTransaction, user: User): void {
  changeUser(tx.sql, user.id, { isActive: true })
  keepScimUser(tx.sql, user.id)
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
