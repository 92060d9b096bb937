import { FIELD_TYPES } from '../profile-fields/field-types.ts'
import { presentProfileFields } from '../profile-fields/present-profile-fields.ts'
import type { Snapshot } from './snapshot.ts'

/** Keys of `custom_profile_fields`: the fields, and what kinds there are. */
export const customProfileFieldsSnapshot: Snapshot = ({ sql }) => ({
  custom_profile_fields: presentProfileFields(sql),
  custom_profile_field_types: FIELD_TYPES,
})
