import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { StoredRealmUserEvent } from '../../../events/realm-user.ts'
import { changeUser, type User } from '../../../store/users/user-rows.ts'
import { announceBotChange } from '../../bots/announce-bot.ts'
import { userAudience } from '../visibility/user-audience.ts'

/** Gives a user an allowed name and notifies everybody who knows them. The same name changes nothing. */
export function changeFullName(tx: RealmTransaction, user: User, fullName: string): void {
  if (fullName === user.fullName) return
  changeUser(tx.sql, user.id, { fullName })
  const event: StoredRealmUserEvent = {
    type: 'realm_user',
    op: 'update',
    person: { user_id: user.id, full_name: fullName },
  }
  tx.emit(event, userAudience(tx, user))
  announceBotChange(tx, user, { full_name: fullName })
}
