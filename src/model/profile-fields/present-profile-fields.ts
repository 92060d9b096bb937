import type { Sql } from '../../core/sql.ts'
import type { PresentedProfileField } from '../../events/custom-profile-fields.ts'
import { listProfileFields } from '../../store/profile-fields/profile-field-rows.ts'

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
