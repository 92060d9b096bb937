import { CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { BETWEEN_COMMITS_SECONDS } from '../../core/time.ts'
import { deleteMeta, type MetaKey, readMeta, writeMeta } from '../../store/meta-rows.ts'
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
  const kind = 'withdraw-profile-values'
  const work = { kind, key: String(fieldId), next: continueWithdrawal } as const
  if (withdrawNext(tx, fieldId, 0)) tx.continueLater(work)
  else tx.unschedule(work)
}

/** Makes the next commit of a withdrawal, if one is open. */
export function continueWithdrawal(tx: RealmTransaction, key: string): number | undefined {
  const above = readMeta<number>(tx.sql, keyOf(Number(key)))
  const isOpen = above !== undefined && withdrawNext(tx, Number(key), above)
  return isOpen ? tx.now + BETWEEN_COMMITS_SECONDS : undefined
}

/** Withdraws values of the next users above an id. Returns whether any are left. Another change of the field begins with the first user again. */
function withdrawNext(tx: RealmTransaction, fieldId: number, above: number): boolean {
  const field = findProfileField(tx.sql, fieldId)
  const choices = field ? Object.keys(choicesOf(field.fieldData)) : []
  const limit = CHANGES_OF_COMMIT
  const users = usersWithOtherFieldValue(tx.sql, fieldId, choices, { above, limit })
  for (const user of users) putFieldValue(tx, user, fieldId, undefined)
  if (users.length === limit) {
    writeMeta(tx.sql, keyOf(fieldId), users.at(-1)!.id)
    return true
  }
  deleteMeta(tx.sql, keyOf(fieldId))
  return false
}

function keyOf(fieldId: number): MetaKey {
  return `profile_withdrawal:${fieldId}`
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
