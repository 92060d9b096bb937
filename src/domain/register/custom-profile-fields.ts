import { fieldsForClient } from '../../events/custom-profile-fields.ts'
import { FIELD_TYPES } from '../profile-fields/field-types.ts'
import { presentProfileFields } from '../profile-fields/present-profile-fields.ts'
import type { Snapshot } from './snapshot.ts'

/** Keys of `custom_profile_fields`: the fields, and what kinds there are. */
export const customProfileFieldsSnapshot: Snapshot = ({ sql }, _caller, { userAgent }) => ({
  custom_profile_fields: fieldsForClient(presentProfileFields(sql), userAgent),
  custom_profile_field_types: FIELD_TYPES,
})
