import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { StoredRealmUserEvent } from '../../../events/realm-user.ts'
import { ROLE_VALUES } from '../../../rules/roles.ts'
import { EMAIL_VISIBILITY, type EmailVisibility, roleSeesEmail } from '../../../rules/user-rules.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { announcePicture } from '../profile/announce-picture.ts'
import { userAudience } from '../visibility/user-audience.ts'
import { apiEmail } from './api-email.ts'

/**
 * Announces a user's changed email visibility: users who may now see the address get it, others are
 * notified that they may not, and everybody if the address that everybody sees changes. Source:
 * docs/interface/settings.md#change-ones-settings; docs/decisions/interface.md#queues-and-events.
 */
export function announceEmailVisibility(
  tx: RealmTransaction,
  before: User,
  user: User,
  visibility: { readonly before: EmailVisibility; readonly after: EmailVisibility },
): void {
  const sawIt = (role: (typeof ROLE_VALUES)[number]) => roleSeesEmail({ role }, visibility.before)
  const seesIt = (role: (typeof ROLE_VALUES)[number]) => roleSeesEmail({ role }, visibility.after)
  const emit = (roles: readonly number[], person: StoredRealmUserEvent['person']) => {
    if (roles.length === 0) return
    const event: StoredRealmUserEvent = { type: 'realm_user', op: 'update', person }
    tx.emit(event, { ...userAudience(tx, user, roles), except: [user.id] })
  }
  const gained = ROLE_VALUES.filter((role) => seesIt(role) && !sawIt(role))
  const lost = ROLE_VALUES.filter((role) => sawIt(role) && !seesIt(role))
  emit(gained, { user_id: user.id, delivery_email: user.deliveryEmail })
  emit(lost, { user_id: user.id, delivery_email: null })
  if (visibility.before === EMAIL_VISIBILITY.everyone || visibility.after === EMAIL_VISIBILITY.everyone) {
    announceApiEmail(tx, before, user)
  }
}

/** Announces the API e-mail, and the picture, whose address follows from it. */
export function announceApiEmail(tx: RealmTransaction, before: User, user: User): void {
  const audience = userAudience(tx, user)
  const email: StoredRealmUserEvent = {
    type: 'realm_user',
    op: 'update',
    person: { user_id: user.id, new_email: apiEmail(user, tx.realm) },
  }
  tx.emit(email, audience)
  announcePicture(tx, before, user)
}
