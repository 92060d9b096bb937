import { PROFILE_VALUES_IN_ONE_COMMIT } from '../../core/commit-budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { deleteMeta, type MetaKey, readMeta, writeMeta } from '../meta-rows.ts'
import { usersWithOtherFieldValue } from '../users/user-rows.ts'
import { choicesOf } from './field-types.ts'
import { findProfileField } from './profile-field-rows.ts'
import { putFieldValue } from './put-field-value.ts'

/** The job that continues withdrawing values when the request has ended too early. */
export const WITHDRAW_PROFILE_VALUES = 'withdraw-profile-values'

/** Seconds after which the job continues, since the request has normally finished by then. */
const LEFT_TO_THE_REQUEST_SECONDS = 60
/** Seconds between two commits of the job. */
const BETWEEN_COMMITS_SECONDS = 1

/**
 * Withdraws the values that nobody can give any more: all of a deleted field, or those that are no longer among the choices of one
 * with choices. As far as one commit goes; returns whether anything is left, for commits of their own.
 */
export function beginWithdrawal(tx: RealmTransaction, fieldId: number): boolean {
  const isOpen = withdrawNext(tx, fieldId, 0)
  if (isOpen) {
    const dueAt = tx.now + LEFT_TO_THE_REQUEST_SECONDS
    tx.schedule({ kind: WITHDRAW_PROFILE_VALUES, key: String(fieldId), dueAt })
  }
  return isOpen
}

/** Makes the next commit of a withdrawal, if one is open. Returns whether anything is left. */
export function continueWithdrawal(tx: RealmTransaction, fieldId: number): boolean {
  const above = readMeta<number>(tx.sql, keyOf(fieldId))
  return above !== undefined && withdrawNext(tx, fieldId, above)
}

/** Continues a withdrawal by its job. Returns when it goes on (UNIX seconds). */
export function withdrawByJob(tx: RealmTransaction, key: string): number | undefined {
  return continueWithdrawal(tx, Number(key)) ? tx.now + BETWEEN_COMMITS_SECONDS : undefined
}

/** Withdraws values of the next users above an id. A later change of the field begins with the first user again. */
function withdrawNext(tx: RealmTransaction, fieldId: number, above: number): boolean {
  const field = findProfileField(tx.sql, fieldId)
  const choices = field ? Object.keys(choicesOf(field.fieldData)) : []
  const limit = PROFILE_VALUES_IN_ONE_COMMIT
  const users = usersWithOtherFieldValue(tx.sql, fieldId, choices, { above, limit })
  for (const user of users) putFieldValue(tx, user, fieldId, undefined)
  if (users.length === limit) {
    writeMeta(tx.sql, keyOf(fieldId), users.at(-1)!.id)
    return true
  }
  deleteMeta(tx.sql, keyOf(fieldId))
  tx.unschedule({ kind: WITHDRAW_PROFILE_VALUES, key: String(fieldId) })
  return false
}

function keyOf(fieldId: number): MetaKey {
  return `profile_withdrawal:${fieldId}`
}
