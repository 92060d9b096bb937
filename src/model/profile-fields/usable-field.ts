import { BadRequestError } from '../../core/errors.ts'
import { firstUnfitInName, nameKey } from '../../core/names.ts'
import type { Sql } from '../../core/sql.ts'
import { mayBeInSummary } from '../../store/profile-fields/field-types.ts'
import { listProfileFields, type ProfileField } from '../../store/profile-fields/profile-field-rows.ts'

const MAX_IN_SUMMARY = 2

/** Refuses a field that cannot be used, or whose name is taken. `id`: the field that is changed, if it exists. */
export function requireUsableField(
  sql: Sql,
  field: Omit<ProfileField, 'id'> & { readonly id?: number },
): void {
  const others = listProfileFields(sql).filter(({ id }) => id !== field.id)
  if (field.name === '') throw new BadRequestError('Label cannot be blank.')
  if (firstUnfitInName(field.name) !== undefined) throw new BadRequestError('Invalid characters in name!')
  if (field.isInSummary && !mayBeInSummary(field.type)) {
    throw new BadRequestError('Field type not supported for display in profile summary.')
  }
  if (field.isInSummary && others.filter(({ isInSummary }) => isInSummary).length >= MAX_IN_SUMMARY) {
    throw new BadRequestError(
      `Only ${MAX_IN_SUMMARY} custom profile fields can be displayed in the profile summary.`,
    )
  }
  const key = nameKey(field.name)
  if (others.some(({ name }) => nameKey(name) === key)) {
    throw new BadRequestError('A field with that label already exists.')
  }
}
