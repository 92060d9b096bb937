import type { Audience } from '../../../core/audience.ts'
import { BadRequestError } from '../../../core/errors.ts'
import { IdSet } from '../../../core/id-set.ts'
import { defineReader } from '../../../core/reader.ts'
import type { RealmIdentity, RealmReads, RealmView } from '../../../core/realm-transaction.ts'
import { NOTHING_SHOWN } from '../../../core/shown-settings.ts'
import type { Sql } from '../../../core/sql.ts'
import type { Actor } from '../../../rules/access.ts'
import { ROLE_VALUES, ROLES } from '../../../rules/roles.ts'
import { systemGroupId } from '../../../rules/system-groups.ts'
import { maySeeUser, requireMayAdministerUser, seesAllUsers } from '../../../rules/user-rules.ts'
import { sharersOf, sharesConversation } from '../../../store/messages/conversation-rows.ts'
import { realmPermissions } from '../../../store/realm/realm-setting-rows.ts'
import { guestSubscribersOf, isSubscribed } from '../../../store/subscriptions/subscriber-rows.ts'
import { activeGuests, bots } from '../../../store/users/account-set-rows.ts'
import { findUser, findUsers, type User } from '../../../store/users/user-rows.ts'
import type { Caller } from '../../caller.ts'
import { dummyEmail } from '../addresses/api-email.ts'
import { avatarUrlOfEmail } from '../profile/avatar.ts'
import { dateJoined, type PresentedUser } from '../read/present-user.ts'

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

/** The name that guests get for a user whom they cannot see (docs/interface/events.md#events-about-people). */
export const UNKNOWN_USER_NAME = 'Unknown user'

/** Values that replace a user's name, address and picture. */
interface Placeholder {
  readonly full_name: string
  readonly email: string
  readonly avatar_url: string
}

export function placeholderOf(id: number, realm: RealmIdentity): Placeholder {
  const email = dummyEmail(id, realm)
  return { full_name: UNKNOWN_USER_NAME, email, avatar_url: avatarUrlOfEmail(email, 1) }
}

/** Presents a user whom a guest cannot see, to clients that know only complete lists (docs/interface/register.md#capabilities). */
export function presentUnknownUser(id: number, realm: RealmIdentity): PresentedUser {
  return {
    user_id: id,
    ...placeholderOf(id, realm),
    delivery_email: null,
    date_joined: dateJoined({ joinedAt: realm.createdAt }),
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    is_imported_stub: false,
    bot_type: null,
    bot_owner_id: null,
    role: 400,
    ...NOTHING_SHOWN,
    avatar_version: 1,
    profile_data: {},
  }
}

/** The placeholder that some readers get for a user. */
interface UnknownUser extends Placeholder {
  readonly to: readonly number[]
}

/** Returns the placeholder for a user who acts without a subscription, and the guests who get it. Mostly undefined: everybody may know. */
export function unknownInChannel(view: RealmView, user: User, channelId: number): UnknownUser | undefined {
  if (user.botType !== null || areAllUsersVisible(view) || isSubscribed(view.sql, channelId, user.id)) {
    return undefined
  }
  const guests = guestSubscribersOf(view.sql, channelId).andNot(IdSet.of([user.id]))
  const to = guests.size === 0 ? [] : guests.andNot(sharersOf(view.sql, user.id)).toArray()
  return to.length === 0 ? undefined : { to, ...placeholderOf(user.id, view.realm) }
}

/** Whether all users see each other: guests may be restricted. */
export function areAllUsersVisible(view: RealmView): boolean {
  return realmPermissions(view.sql).can_access_all_users_group === systemGroupId('role:everyone')
}

/** Returns the audience of a user's changes: everybody who may know of the user, of these roles. */
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
