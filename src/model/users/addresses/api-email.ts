import { realmHostOf } from '../../../core/realm-host.ts'
import type { RealmIdentity } from '../../../core/realm-transaction.ts'
import { userSetting } from '../../../store/users/settings/user-setting-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'

/** Value of `email_address_visibility` with which everybody sees the real address. */
export const EMAIL_VISIBLE_TO_EVERYONE = 1

/** Returns the address that reveals nothing: `user{id}@{host}`. Source: docs/interface/users.md#get-a-user. */
export function dummyEmail(userId: number, realm: RealmIdentity): string {
  return `user${userId}@${realm.host}`
}

/** Returns the id in a dummy address; its host may be written as in the URL of the server, with a port. */
export function userIdOfDummyEmail(email: string, realm: RealmIdentity): number | undefined {
  const match = /^user(\d{1,15})@([^:]+|\[::1\])(?::\d+)?$/i.exec(email.trim())
  return match && realmHostOf(match[2]!) === realm.host ? Number(match[1]) : undefined
}

/** Returns the address that all readers see: the real one only if everybody may see it (docs/decisions/interface.md#records). */
export function apiEmail(
  user: Pick<User, 'id' | 'botType' | 'deliveryEmail' | 'settings'>,
  realm: RealmIdentity,
): string {
  return user.botType !== null || userSetting(user, 'email_address_visibility') === EMAIL_VISIBLE_TO_EVERYONE
    ? user.deliveryEmail
    : dummyEmail(user.id, realm)
}

/** Returns the address for the whole web: never a person's real one, even if colleagues see it. A bot's is no secret. */
export function publicEmail(user: User, realm: RealmIdentity): string {
  return user.botType === null ? dummyEmail(user.id, realm) : user.deliveryEmail
}
