import type { Audience } from '../../core/audience.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import { ROLE_VALUES, ROLES } from '../../permissions/roles.ts'
import { systemGroupId } from '../../permissions/system-groups.ts'
import { actorOf } from '../caller.ts'
import { realmPermissions } from '../realm/realm-setting-rows.ts'
import { listUsers, type User } from './user-rows.ts'
import { seesUser } from './visible-users.ts'

/** Do all users see each other? Only guests can be kept from it. */
export function areAllUsersVisible(view: RealmView): boolean {
  return realmPermissions(view.sql).can_access_all_users_group === systemGroupId('role:everyone')
}

/**
 * Everybody who may know of the user: the audience of changes to them (events 1, "visible"). `roles`: only
 * those of them who have one of these roles.
 */
export function userAudience(view: RealmView, user: User, roles: readonly number[] = ROLE_VALUES): Audience {
  const isHidden = roles.includes(ROLES.guest) && user.botType === null && !areAllUsersVisible(view)
  if (!isHidden) return { roles }
  return { roles: roles.filter((role) => role !== ROLES.guest), users: guestsWhoSee(view, user) }
}

function guestsWhoSee(view: RealmView, user: User): number[] {
  return listUsers(view.sql)
    .filter((guest) => guest.role === ROLES.guest && guest.isActive)
    .filter((guest) => seesUser(view, { user: guest, actor: actorOf(view.sql, guest, view.now) }, user))
    .map(({ id }) => id)
}
