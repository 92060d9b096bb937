import * as v from 'valibot'
import {
  createProfileField,
  deleteProfileField,
  getProfileFields,
  reorderProfileFields,
  updateProfileField,
} from '../../domain/profile-fields/profile-fields.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH, NAME_LENGTH, VALUE_LENGTH } from '../input-limits.ts'
import {
  json,
  jsonBoolean,
  jsonIds,
  jsonInteger,
  mapUpTo,
  pathInteger,
  textUpTo,
  trimmedTextUpTo,
  valueUpTo,
} from '../parameter-types.ts'

const MAX_NAME_LENGTH = 40
const HINT_LENGTH = 80

const name = v.optional(trimmedTextUpTo(MAX_NAME_LENGTH))
const hint = v.optional(trimmedTextUpTo(HINT_LENGTH))
const fieldData = v.optional(
  json(mapUpTo(MAX_HANDMADE_LIST_LENGTH, textUpTo(NAME_LENGTH), valueUpTo(VALUE_LENGTH))),
)
const flags = {
  display_in_profile_summary: v.optional(jsonBoolean),
  required: v.optional(jsonBoolean),
  editable_by_user: v.optional(jsonBoolean),
  use_for_user_matching: v.optional(
    v.pipe(jsonBoolean, v.description('Whether clients also find people by its values.')),
  ),
}

const field = v.object({
  id: v.number(),
  name: v.string(),
  type: v.number(),
  hint: v.string(),
  field_data: v.pipe(v.string(), v.description('JSON text; empty for types that have no data.')),
  order: v.number(),
  required: v.boolean(),
  editable_by_user: v.boolean(),
  use_for_user_matching: v.boolean(),
  display_in_profile_summary: v.optional(v.boolean()),
})

/**
 * Lists the fields of people's profiles, in their order. Source:
 * docs/interface/organization.md#profile-fields.
 */
export const getProfileFieldsEndpoint = defineEndpoint({
  operation: 'get-custom-profile-fields',
  method: 'GET',
  path: '/realm/profile_fields',
  access: 'user',
  params: {},
  returns: v.object({ custom_fields: v.array(field) }),
  command: getProfileFields,
})

export const createProfileFieldEndpoint = defineEndpoint({
  operation: 'create-custom-profile-field',
  method: 'POST',
  path: '/realm/profile_fields',
  access: 'administrator',
  params: { name, hint, field_type: jsonInteger, field_data: fieldData, ...flags },
  returns: v.object({ id: v.number() }),
  command: createProfileField,
  audit: 'shown',
})

export const updateProfileFieldEndpoint = defineEndpoint({
  operation: 'update-custom-profile-field',
  method: 'PATCH',
  path: '/realm/profile_fields/:field_id',
  access: 'administrator',
  params: { field_id: pathInteger, name, hint, field_data: fieldData, ...flags },
  returns: v.object({}),
  command: updateProfileField,
  audit: 'shown',
})

export const deleteProfileFieldEndpoint = defineEndpoint({
  operation: 'delete-custom-profile-field',
  method: 'DELETE',
  path: '/realm/profile_fields/:field_id',
  access: 'administrator',
  params: { field_id: pathInteger },
  returns: v.object({}),
  command: deleteProfileField,
  audit: 'shown',
})

export const reorderProfileFieldsEndpoint = defineEndpoint({
  operation: 'reorder-custom-profile-fields',
  method: 'PATCH',
  path: '/realm/profile_fields',
  access: 'administrator',
  params: { order: jsonIds },
  returns: v.object({}),
  command: reorderProfileFields,
  audit: 'shown',
})
