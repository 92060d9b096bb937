import { BadRequestError } from '../../../core/errors.ts'
import { IdSet } from '../../../core/id-set.ts'
import { defineReader } from '../../../core/reader.ts'
import type { RealmReads, RealmView } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import type { Actor } from '../../../rules/access.ts'
import { maySeeUser, requireMayAdministerUser, seesAllUsers } from '../../../rules/user-rules.ts'
import { realmPermissions } from '../../../store/realm/realm-setting-rows.ts'
import { bots } from '../../../store/users/account-set-rows.ts'
import { findUser, type User } from '../../../store/users/user-rows.ts'
import { sharersOf, sharesConversation } from '../../../store/users/visibility/shared-conversation-rows.ts'
import type { Caller } from '../../caller.ts'

type Viewer = { readonly user: User; readonly actor: Actor }
type Sqlite = Pick<RealmView, 'sql'>

/** Whether the viewer may know of this user at all (docs/interface/events.md#who-gets-an-event). */
export function seesUser(view: Sqlite, viewer: Viewer, user: Pick<User, 'id' | 'botType'>): boolean {
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

/** Returns the users whom the viewer may know of. */
export function visibleUsers<Seen extends Pick<User, 'id' | 'botType'>>(
  view: Sqlite,
  viewer: Viewer,
  users: readonly Seen[],
): Seen[] {
  if (seesAllUsers(viewer.actor, realmPermissions(view.sql))) return [...users]
  const permissions = realmPermissions(view.sql)
  const sharers = sharersOf(view.sql, viewer.user.id)
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

/** Returns the ids of the users whom the viewer may know of, maybe with system bots; undefined for everybody. */
export function idsSeenBy(tx: Pick<RealmReads, 'sql' | 'use'>, { user, actor }: Viewer): IdSet | undefined {
  return seesAllUsers(actor, realmPermissions(tx.sql)) ? undefined : tx.use(seenByGuest, user.id)
}

/** The users whom a guest who does not see everybody may know of (`maySeeUser`). */
export const seenByGuest = defineReader({
  name: 'users seen by a guest',
  key: (guestId: number) => `${guestId}`,
  *read({ sql }, guestId) {
    const sharers = sharersOf(sql, guestId)
    yield
    return IdSet.union([IdSet.of([guestId]), bots(sql), sharers])
  },
})

/** Returns a user who is not a system bot. @throws BadRequestError `No such user` */
export function requireUser(sql: Sql, id: number): User {
  const user = findUser(sql, id)
  if (!user || user.isSystemBot) throw new BadRequestError('No such user')
  return user
}

/** Returns a user whom the caller may administer: any user for administrators, one's own bots for everybody. */
export function requireUserToAdminister(sql: Sql, { actor }: Caller, id: number): User {
  const user = requireUser(sql, id)
  requireMayAdministerUser(actor, user)
  return user
}
