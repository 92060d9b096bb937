import { CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import type { Continuation, RealmTransaction } from '../../core/realm-transaction.ts'
import { choicesOf } from '../../store/profile-fields/field-types.ts'
import { findProfileField } from '../../store/profile-fields/profile-field-rows.ts'
import {
  changeUser,
  type ProfileValue,
  type User,
  usersWithOtherFieldValue,
} from '../../store/users/user-rows.ts'
import { emitUserChange } from '../users/visibility/emit-user-change.ts'

/** Withdraws values of a deleted field, or of removed choices: as many as one commit takes, and the rest later. */
export function withdrawValues(tx: RealmTransaction, fieldId: number): void {
  tx.continueLater(withdrawal, String(fieldId), withdrawNext(tx, fieldId, { above: 0 }))
}

export const withdrawal: Continuation<UsersLeft> = {
  name: 'withdraw-profile-values',
  next: (tx, left, key) => withdrawNext(tx, Number(key), left),
}

/** Users above this id are left. Another change of the field begins with the first user again. */
interface UsersLeft {
  readonly above: number
}

/** Withdraws values of the next users. */
function withdrawNext(tx: RealmTransaction, fieldId: number, { above }: UsersLeft): UsersLeft | undefined {
  const field = findProfileField(tx.sql, fieldId)
  const choices = field ? Object.keys(choicesOf(field.fieldData)) : []
  const limit = CHANGES_OF_COMMIT
  const users = usersWithOtherFieldValue(tx.sql, fieldId, choices, { above, limit })
  for (const user of users) putFieldValue(tx, user, fieldId, undefined)
  return users.length === limit ? { above: users.at(-1)!.id } : undefined
}

/** Stores one value and notifies everybody who may know of the user. An equal value changes nothing. */
export function putFieldValue(
  tx: RealmTransaction,
  user: User,
  fieldId: number,
  value: ProfileValue | undefined,
): void {
  if (user.profileData[fieldId]?.value === value?.value) return
  const { [fieldId]: _before, ...others } = user.profileData
  changeUser(tx.sql, user.id, { profileData: value ? { ...others, [fieldId]: value } : others })
  emitUserChange(tx, user, { custom_profile_field: { id: fieldId, ...(value ?? { value: null }) } })
}
