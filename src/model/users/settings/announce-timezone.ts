import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { StoredRealmUserEvent } from '../../../events/realm-user.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { apiEmail } from '../addresses/api-email.ts'
import { userAudience } from '../visibility/user-audience.ts'

/** Announces a user's time zone, which others see too. */
export function announceTimezone(tx: RealmTransaction, user: User): void {
  const event: StoredRealmUserEvent = {
    type: 'realm_user',
    op: 'update',
    person: { user_id: user.id, email: apiEmail(user, tx.realm), timezone: user.timezone },
  }
  tx.emit(event, userAudience(tx, user))
}
