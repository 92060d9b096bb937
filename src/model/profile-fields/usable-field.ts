import { BadRequestError } from '../../core/errors.ts'
import { firstUnfitInName, nameKey } from '../../core/names.ts'
import type { Sql } from '../../core/sql.ts'
import type { PresentedProfileField } from '../../events/custom-profile-fields.ts'
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

/**
 * Returns the fields in their order, which is counted from 1. Source:
 * docs/interface/register.md#what-the-snapshot-has.
 */
export function presentProfileFields(sql: Sql): PresentedProfileField[] {
  return listProfileFields(sql).map((field, index) => ({
    id: field.id,
    name: field.name,
    type: field.type,
    hint: field.hint,
    field_data: field.fieldData,
    order: index + 1,
    required: field.isRequired,
    editable_by_user: field.isEditableByUser,
    use_for_user_matching: field.isMatched,
    ...(field.isInSummary ? { display_in_profile_summary: true as const } : {}),
  }))
}
