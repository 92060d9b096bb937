import { IdSet } from '../../../core/id-set.ts'
import type { RealmIdentity, RealmView } from '../../../core/realm-transaction.ts'
import { guestSubscribersOf, isSubscribed } from '../../../store/subscriptions/subscriber-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { sharersOf } from '../../../store/users/visibility/shared-conversation-rows.ts'
import { dummyEmail } from '../addresses/api-email.ts'
import { avatarUrlOfEmail } from '../profile/avatar.ts'
import { dateJoined, type PresentedUser } from '../read/present-user.ts'
import { areAllUsersVisible } from './user-audience.ts'

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

/**
 * Presents a user to a guest who cannot see them, for clients that do not know incomplete lists of users: enough to show the
 * sender of an old message. Source: docs/interface/register.md#capabilities.
 */
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
    timezone: '',
    avatar_version: 1,
    profile_data: {},
  }
}

/** The placeholder that some readers get for a user. */
interface UnknownUser extends Placeholder {
  readonly to: readonly number[]
}

/**
 * Returns the placeholder for a user who acts in a channel without a subscription, and the guests there who may not know who
 * it was. Undefined when everybody may know, which is nearly always so.
 */
export function unknownInChannel(view: RealmView, user: User, channelId: number): UnknownUser | undefined {
  if (user.botType !== null || areAllUsersVisible(view) || isSubscribed(view.sql, channelId, user.id)) {
    return undefined
  }
  const guests = guestSubscribersOf(view.sql, channelId).andNot(IdSet.of([user.id]))
  const to = guests.size === 0 ? [] : guests.andNot(sharersOf(view.sql, user.id)).toArray()
  return to.length === 0 ? undefined : { to, ...placeholderOf(user.id, view.realm) }
}
