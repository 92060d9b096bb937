import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredRealmUserEvent } from '../../events/realm-user.ts'
import { changeUser, type ProfileValue, type User } from '../../store/users/user-rows.ts'
import { userAudience } from '../users/visibility/user-audience.ts'

/** Stores one value and notifies everybody who may know of the user; an equal value is no change. */
export function putFieldValue(
  tx: RealmTransaction,
  user: User,
  fieldId: number,
  value: ProfileValue | undefined,
): void {
  if (user.profileData[fieldId]?.value === value?.value) return
  const { [fieldId]: _before, ...others } = user.profileData
  changeUser(tx.sql, user.id, { profileData: value ? { ...others, [fieldId]: value } : others })
  const event: StoredRealmUserEvent = {
    type: 'realm_user',
    op: 'update',
    person: {
      user_id: user.id,
      custom_profile_field: { id: fieldId, ...(value ?? { value: null }) },
    },
  }
  tx.emit(event, userAudience(tx, user))
}
