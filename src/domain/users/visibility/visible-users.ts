import type { RealmView } from '../../../core/realm-transaction.ts'
import type { Actor } from '../../../permissions/actor.ts'
import { maySeeUser, seesAllUsers } from '../../../permissions/user-rules.ts'
import { realmPermissions } from '../../realm/realm-setting-rows.ts'
import type { User } from '../user-rows.ts'
import { sharersAmong, sharesConversation } from './shared-conversation-rows.ts'

type Viewer = { readonly user: User; readonly actor: Actor }
type Sqlite = Pick<RealmView, 'sql'>

/** Whether the viewer may know of this user at all (docs/interface/events.md#who-gets-an-event). */
export function seesUser(view: Sqlite, viewer: Viewer, user: Pick<User, 'id' | 'botType'>): boolean {
  if (viewer.user.id === user.id) return true
  return maySeeUser(
    viewer.actor,
    {
      id: user.id,
      isBot: user.botType !== null,
      get sharesConversation() {
        return sharesConversation(view.sql, viewer.user.id, user.id)
      },
    },
    realmPermissions(view.sql),
  )
}

/** Returns those of the users whom the viewer may know of. */
export function visibleUsers<Seen extends Pick<User, 'id' | 'botType'>>(
  view: Sqlite,
  viewer: Viewer,
  users: readonly Seen[],
): Seen[] {
  if (seesAllUsers(viewer.actor, realmPermissions(view.sql))) return [...users]
  const permissions = realmPermissions(view.sql)
  const sharers = sharersAmong(
    view.sql,
    viewer.user.id,
    users.map(({ id }) => id),
  )
  return users.filter(({ id, botType }) => {
    const seen = { id, isBot: botType !== null, sharesConversation: sharers.has(id) }
    return maySeeUser(viewer.actor, seen, permissions)
  })
}

/** Whether the viewer may know of each of the users. */
export function seesUsers(
  view: Sqlite,
  viewer: Viewer,
  users: readonly Pick<User, 'id' | 'botType'>[],
): boolean {
  return (
    seesAllUsers(viewer.actor, realmPermissions(view.sql)) ||
    users.every((user) => seesUser(view, viewer, user))
  )
}
