import { BadRequestError, TooMuchAtOnceError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { RENDERED_IN_ONE_COMMIT, renderingCost } from '../../markdown/render-types.ts'
import { isAdministrator } from '../../rules/roles.ts'
import { isRendered } from '../../store/profile-fields/field-types.ts'
import { findProfileField, type ProfileField } from '../../store/profile-fields/profile-field-rows.ts'
import { findUser, type ProfileValue, type User } from '../../store/users/user-rows.ts'
import type { Caller } from '../caller.ts'
import { renderDescription } from '../messages/text/render-text.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { putFieldValue } from './change-field-values.ts'
import { type FieldValue, requireFieldValue } from './field-values.ts'

/** One field and its new value; null removes the value. */
export interface ProfileDatum {
  readonly id: number
  readonly value: FieldValue
}

/** Changes the caller's own profile. Source: docs/interface/users.md#profile-data; docs/interface/organization.md#profile-fields. */
export function updateOwnProfileData(
  tx: RealmTransaction,
  caller: Caller,
  { data }: { readonly data: readonly ProfileDatum[] },
): void {
  changeProfileData(tx, caller, caller.user, data)
}

export function removeOwnProfileData(
  tx: RealmTransaction,
  caller: Caller,
  { data }: { readonly data: readonly number[] },
): void {
  changeProfileData(
    tx,
    caller,
    caller.user,
    data.map((id) => ({ id, value: null })),
  )
}

/** Changes values of a profile, after all are checked. The last of several values for one field counts. */
export function changeProfileData(
  tx: RealmTransaction,
  caller: Caller,
  user: User,
  data: readonly ProfileDatum[],
): void {
  const checked = data.map(({ id, value }): [ProfileField, string | undefined] => {
    const field = findProfileField(tx.sql, id)
    if (!field) throw new BadRequestError(`Field id ${id} not found.`)
    if (!field.isEditableByUser && !isAdministrator(caller.actor)) {
      throw new BadRequestError(
        'You are not allowed to change this field. Contact an administrator to update it.',
      )
    }
    return [field, requireFieldValue(tx.sql, field, value)]
  })
  const last = new Map(checked.map(([field, value]) => [field.id, { field, value }]))
  const rendered = [...last.values()].flatMap(({ field, value }) =>
    value !== undefined && isRendered(field.type) ? [value] : [],
  )
  if (renderingCost(rendered) > RENDERED_IN_ONE_COMMIT) throw new TooMuchAtOnceError()
  const values = [...last.values()].map(({ field, value }): [number, ProfileValue | undefined] => [
    field.id,
    profileValue(tx, caller, field, value),
  ])
  const put = () => {
    for (const [id, value] of values) putFieldValue(tx, findUser(tx.sql, user.id)!, id, value)
  }
  withinQuota(tx, caller, 'profiles', put, user.id)
}

function profileValue(
  tx: RealmReads,
  caller: Caller,
  { type }: ProfileField,
  value: string | undefined,
): ProfileValue | undefined {
  if (value === undefined) return undefined
  if (!isRendered(type)) return { value }
  return { value, rendered_value: renderDescription(tx, caller, value, caller.source.origin) }
}
