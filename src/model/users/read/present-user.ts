import type { RealmIdentity } from '../../../core/realm-transaction.ts'
import { type HasRole, isAdministrator } from '../../../rules/roles.ts'
import { type EmailVisibility, maySeeDeliveryEmail } from '../../../rules/user-rules.ts'
import { shownSettings, userSetting } from '../../../store/users/settings/user-setting-rows.ts'
import type { Profile, User } from '../../../store/users/user-rows.ts'
import { apiEmail } from '../addresses/api-email.ts'
import { avatarUrl, isAvatarComputable, isThirdParty } from '../profile/avatar.ts'

export interface UserViewer {
  readonly viewer: HasRole & { readonly id: number }
  readonly realm: RealmIdentity
  /**
   * Whether the client computes the addresses of third-party pictures itself, and gets null for them: where everybody may
   * see the e-mail address, or where this viewer may (`by-real-email`, docs/decisions/interface.md#records).
   */
  readonly clientGravatar: boolean | 'by-real-email'
  readonly includeProfileData: boolean
}

/** Returns the user object of docs/interface/users.md#the-user-object for one viewer. */
export function presentUser(
  user: Profile,
  { viewer, realm, clientGravatar, includeProfileData }: UserViewer,
) {
  const seesEmail = seesDeliveryEmail(viewer, user)
  const computesPicture =
    clientGravatar === 'by-real-email'
      ? isThirdParty(user) && seesEmail
      : clientGravatar && isAvatarComputable(user)
  return {
    user_id: user.id,
    email: apiEmail(user, realm),
    delivery_email: seesEmail ? user.deliveryEmail : null,
    full_name: user.fullName,
    date_joined: dateJoined(user),
    is_active: user.isActive,
    ...(user.isDeleted ? { is_deleted: true as const } : {}),
    is_owner: user.role === 100,
    is_admin: isAdministrator(user),
    is_guest: user.role === 600,
    is_bot: user.botType !== null,
    is_imported_stub: user.isImported && user.awaitsLogin,
    ...(user.isSystemBot ? { is_system_bot: true as const } : {}),
    bot_type: user.botType,
    bot_owner_id: user.botOwnerId,
    role: user.role,
    ...shownSettings(user),
    avatar_url: computesPicture ? null : avatarUrl(user, realm),
    avatar_version: user.avatarVersion,
    ...(includeProfileData && user.botType === null ? { profile_data: user.profileData } : {}),
  }
}

export type PresentedUser = ReturnType<typeof presentUser>

/** Whether the viewer sees the real address. Bots' addresses are always visible; people decide about theirs. */
export function seesDeliveryEmail(
  viewer: HasRole & { readonly id: number },
  user: Pick<User, 'id' | 'botType' | 'settings'>,
): boolean {
  return maySeeDeliveryEmail(viewer, {
    id: user.id,
    isBot: user.botType !== null,
    emailVisibility: userSetting(user, 'email_address_visibility') as EmailVisibility,
  })
}

/** Returns the minute in which a user joined: `2019-10-20T07:50+00:00` (docs/interface/users.md#the-user-object). */
export function dateJoined(user: Pick<User, 'joinedAt'>): string {
  return `${new Date(user.joinedAt * 1_000).toISOString().slice(0, 16)}+00:00`
}
