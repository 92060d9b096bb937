import type { Audience } from '../../../core/audience.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { StoredRealmUserEvent } from '../../../events/realm-user.ts'
import type { User } from '../../../store/users/user-rows.ts'
import { userAudience } from './visible-users.ts'

/** Emits changed fields of a user, by default to everybody who may know of the user. */
export function emitUserChange(
  tx: RealmTransaction,
  user: User,
  change: Readonly<Record<string, unknown>>,
  audience: Audience = userAudience(tx, user),
): void {
  const event: StoredRealmUserEvent = {
    type: 'realm_user',
    op: 'update',
    person: { user_id: user.id, ...change },
  }
  tx.emit(event, audience)
}
