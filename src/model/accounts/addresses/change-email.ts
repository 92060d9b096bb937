import type { RequestSource } from '../../../core/call.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { ROLE_VALUES, type Role } from '../../../rules/roles.ts'
import { EMAIL_VISIBILITY, type EmailVisibility, roleSeesEmail } from '../../../rules/user-rules.ts'
import { closeConfirmations } from '../../../store/confirmations/confirmation-rows.ts'
import { userSetting } from '../../../store/users/settings/user-setting-rows.ts'
import { changeUser, findUser, findUserByEmail, type User } from '../../../store/users/user-rows.ts'
import { announceBotChange } from '../../bots/announce-bot.ts'
import { mailAddressChange } from '../../emails/account-mails.ts'
import { apiEmail } from '../../users/addresses/api-email.ts'
import { emitUserChange } from '../../users/visibility/emit-user-change.ts'
import { userAudience } from '../../users/visibility/visible-users.ts'
import { announcePicture } from '../avatar-of-user.ts'

/**
 * Gives a person or a bot another address, which the caller has checked. Users who may see it are notified, or everybody if everybody sees
 * it; the old address gets a mail, in case the owner did not change it. Links mailed to the old address become invalid. The new one counts
 * as confirmed. `source`: of the request that confirmed it; absent where somebody else changes it (give-address.ts).
 * Source: docs/interface/users.md#change-a-user; docs/interface/events.md#events-about-people;
 * docs/decisions/interface.md#queues-and-events.
 */
export function changeEmail(tx: RealmTransaction, user: User, address: string, source?: RequestSource): void {
  if (address === user.deliveryEmail) return
  putAddress(tx, user, { deliveryEmail: address, isEmailConfirmed: true, formerEmail: null })
  // A bot reads no mail.
  if (user.botType === null) mailAddressChange(tx, user, address, source)
}

/** Takes the address from a deleted account, without a mail. Others can use the address from now on. */
export function withdrawAddress(tx: RealmTransaction, user: User): void {
  let deliveryEmail = `deleteduser${user.id}@${tx.realm.host}`
  while (findUserByEmail(tx.sql, deliveryEmail) !== undefined) deliveryEmail = `_${deliveryEmail}`
  putAddress(tx, user, { deliveryEmail, isEmailConfirmed: false, formerEmail: null })
}

/** Puts the address into its account, with the events; links mailed before become invalid. */
export function putAddress(
  tx: RealmTransaction,
  user: User,
  address: Pick<User, 'deliveryEmail' | 'isEmailConfirmed' | 'formerEmail'>,
): void {
  changeUser(tx.sql, user.id, address)
  for (const kind of ['email-change', 'password-reset', 'connection'] as const)
    closeConfirmations(tx.sql, user.id, kind)
  const changed = findUser(tx.sql, user.id)!
  announceAddress(tx, changed)
  if (apiEmail(changed, tx.realm) !== apiEmail(user, tx.realm)) announceApiEmail(tx, user, changed)
  else announcePicture(tx, user, changed)
  announceBotChange(tx, changed, { email: address.deliveryEmail })
}

function announceAddress(tx: RealmTransaction, user: User): void {
  const visibility = userSetting(user, 'email_address_visibility') as EmailVisibility
  const roles = ROLE_VALUES.filter((role) => roleSeesEmail({ role }, visibility))
  const { users = [], ...audience } = userAudience(tx, user, roles)
  const delivery_email = user.deliveryEmail
  emitUserChange(tx, user, { delivery_email }, { ...audience, users: [...users, user.id] })
}

/**
 * Announces a user's changed email visibility: users who may now see the address get it, those who no longer may are
 * notified, and everybody is if the API e-mail changes. Source:
 * docs/interface/settings.md#change-ones-settings; docs/decisions/interface.md#queues-and-events.
 */
export function announceEmailVisibility(
  tx: RealmTransaction,
  before: User,
  user: User,
  visibility: { readonly before: EmailVisibility; readonly after: EmailVisibility },
): void {
  const sawIt = (role: Role) => roleSeesEmail({ role }, visibility.before)
  const seesIt = (role: Role) => roleSeesEmail({ role }, visibility.after)
  const emit = (roles: readonly number[], delivery_email: string | null) => {
    if (roles.length === 0) return
    emitUserChange(tx, user, { delivery_email }, { ...userAudience(tx, user, roles), except: [user.id] })
  }
  const gained = ROLE_VALUES.filter((role) => seesIt(role) && !sawIt(role))
  const lost = ROLE_VALUES.filter((role) => sawIt(role) && !seesIt(role))
  emit(gained, user.deliveryEmail)
  emit(lost, null)
  if (visibility.before === EMAIL_VISIBILITY.everyone || visibility.after === EMAIL_VISIBILITY.everyone) {
    announceApiEmail(tx, before, user)
  }
}

/** Announces the API e-mail, and the picture, whose address follows from it. */
function announceApiEmail(tx: RealmTransaction, before: User, user: User): void {
  emitUserChange(tx, user, { new_email: apiEmail(user, tx.realm) })
  announcePicture(tx, before, user)
}
