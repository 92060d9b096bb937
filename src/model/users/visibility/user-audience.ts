import type { Audience } from '../../../core/audience.ts'
import { IdSet } from '../../../core/id-set.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import { ROLE_VALUES, ROLES } from '../../../rules/roles.ts'
import { systemGroupId } from '../../../rules/system-groups.ts'
import { realmPermissions } from '../../../store/realm/realm-setting-rows.ts'
import { activeGuests } from '../../../store/users/account-set-rows.ts'
import { findUsers, type User } from '../../../store/users/user-rows.ts'
import { sharersOf } from '../../../store/users/visibility/shared-conversation-rows.ts'

/** Whether all users see each other: guests may be restricted. */
export function areAllUsersVisible(view: RealmView): boolean {
  return realmPermissions(view.sql).can_access_all_users_group === systemGroupId('role:everyone')
}

/**
 * Returns the audience of a user's changes: everybody who may know of the user, of these roles
 * (docs/interface/events.md#who-gets-an-event).
 */
export function userAudience(view: RealmView, user: User, roles: readonly number[] = ROLE_VALUES): Audience {
  const isHidden = roles.includes(ROLES.guest) && user.botType === null && !areAllUsersVisible(view)
  if (!isHidden) return { roles }
  return { roles: roles.filter((role) => role !== ROLES.guest), users: guestsWhoSee(view, user) }
}

/** Returns the active guests who are not in a user's audience. */
export function strangersTo({ sql }: RealmView, { roles = [], users }: Audience): User[] {
  if (roles.includes(ROLES.guest)) return []
  const strangers = activeGuests(sql).andNot(IdSet.of(users ?? []))
  return [...findUsers(sql, strangers.toArray()).values()]
}

/** Returns the active guests who may know of a person, if guests do not see everybody. */
function guestsWhoSee({ sql }: RealmView, { id }: User): number[] {
  return sharersOf(sql, id)
    .or(IdSet.of([id]))
    .and(activeGuests(sql))
    .toArray()
}
