import type { RealmIdentity } from '../../../core/realm-transaction.ts'
import { dummyEmail } from '../addresses/api-email.ts'
import { avatarUrlOfEmail } from '../profile/avatar.ts'
import type { PresentedUser } from '../read/present-user.ts'

/**
 * The name that a guest gets for a user whom they cannot see
 * (docs/interface/events.md#events-about-people).
 */
export const UNKNOWN_USER_NAME = 'Unknown user'

/** Values that replace a user's name, address and picture. */
export interface Placeholder {
  readonly full_name: string
  readonly email: string
  readonly avatar_url: string
}

export function placeholderOf(id: number, realm: RealmIdentity): Placeholder {
  const email = dummyEmail(id, realm)
  return { full_name: UNKNOWN_USER_NAME, email, avatar_url: avatarUrlOfEmail(email, 1) }
}

/**
 * Presents a user to a guest who cannot see them, if the client does not know incomplete lists of users:
 * enough to show the sender of an old message. Source: docs/interface/register.md#capabilities.
 */
export function presentUnknownUser(id: number, realm: RealmIdentity): PresentedUser {
  return {
    user_id: id,
    ...placeholderOf(id, realm),
    delivery_email: null,
    date_joined: `${new Date(realm.createdAt * 1_000).toISOString().slice(0, 16)}+00:00`,
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
