import { CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredRealmUserEvent } from '../../events/realm-user.ts'
import { deleteMeta, type MetaKey, readMeta, writeMeta } from '../../store/meta-rows.ts'
import { choicesOf } from '../../store/profile-fields/field-types.ts'
import { findProfileField } from '../../store/profile-fields/profile-field-rows.ts'
import {
  changeUser,
  type ProfileValue,
  type User,
  usersWithOtherFieldValue,
} from '../../store/users/user-rows.ts'
import { userAudience } from '../users/visibility/user-audience.ts'

/** The job that continues withdrawing values when the request has ended too early. */
export const WITHDRAW_PROFILE_VALUES = 'withdraw-profile-values'

/** Seconds between two commits of the job. */
const BETWEEN_COMMITS_SECONDS = 1

/**
 * Withdraws the values that nobody can give any more: all of a deleted field, or those that are no longer among the choices of one
 * with choices. As far as one commit goes, and the rest later.
 */
export function withdrawValues(tx: RealmTransaction, fieldId: number): void {
  const work = { kind: WITHDRAW_PROFILE_VALUES, key: String(fieldId), next: goOnWithdrawing }
  if (withdrawNext(tx, fieldId, 0)) tx.finishLater(work)
  else tx.unschedule(work)
}

/** Makes the next commit of a withdrawal, if one is open. */
export function goOnWithdrawing(tx: RealmTransaction, key: string): number | undefined {
  const above = readMeta<number>(tx.sql, keyOf(Number(key)))
  const isOpen = above !== undefined && withdrawNext(tx, Number(key), above)
  return isOpen ? tx.now + BETWEEN_COMMITS_SECONDS : undefined
}

/** Withdraws values of the next users above an id. A later change of the field begins with the first user again. Returns whether any are left. */
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
