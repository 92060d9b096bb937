import type { Audience } from '../../../core/audience.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import { ROLE_VALUES, ROLES } from '../../../permissions/roles.ts'
import { systemGroupId } from '../../../permissions/system-groups.ts'
import { actorOf } from '../../caller.ts'
import { realmPermissions } from '../../realm/realm-setting-rows.ts'
import { listUsers, type User } from '../user-rows.ts'
import { seesUser } from './visible-users.ts'

/** Whether all users see each other. Only guests can be kept from it. */
export function areAllUsersVisible(view: RealmView): boolean {
  return realmPermissions(view.sql).can_access_all_users_group === systemGroupId('role:everyone')
}

/**
 * Returns everybody who may know of the user: the audience of changes to them
 * (docs/interface/events.md#who-gets-an-event). `roles`: only those of them who have one of these roles.
 */
export function userAudience(view: RealmView, user: User, roles: readonly number[] = ROLE_VALUES): Audience {
  const isHidden = roles.includes(ROLES.guest) && user.botType === null && !areAllUsersVisible(view)
  if (!isHidden) return { roles }
  const seeing = activeGuests(view).filter((guest) => guestSees(view, guest, user))
  return { roles: roles.filter((role) => role !== ROLES.guest), users: seeing.map(({ id }) => id) }
}

/** Returns the others: active guests to whom the user is unknown. */
export function strangersTo(view: RealmView, user: User): User[] {
  if (user.botType !== null || areAllUsersVisible(view)) return []
  return activeGuests(view).filter((guest) => !guestSees(view, guest, user))
}

function activeGuests(view: RealmView): User[] {
  return listUsers(view.sql).filter((user) => user.role === ROLES.guest && user.isActive)
}

function guestSees(view: RealmView, guest: User, user: User): boolean {
  return seesUser(view, { user: guest, actor: actorOf(view.sql, guest, view.now) }, user)
}
