import * as v from 'valibot'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH, NAME_LENGTH, VALUE_LENGTH } from '../../api/input-limits.ts'
import {
  described,
  json,
  jsonBoolean,
  jsonIds,
  jsonInteger,
  mapUpTo,
  pathInteger,
  textUpTo,
  trimmedTextUpTo,
  valueUpTo,
} from '../../api/parameter-types.ts'
import { profileData } from '../../api/shared-parameters.ts'
import { EVERYONE } from '../../core/audience.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { profileFieldSchema } from '../../events/realm-lists.ts'
import { withdrawValues } from '../../model/profile-fields/change-field-values.ts'
import { removeOwnProfileData, updateOwnProfileData } from '../../model/profile-fields/change-profile-data.ts'
import { presentProfileFields, requireUsableField } from '../../model/profile-fields/field-values.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import {
  choicesOf,
  FIELD_TYPE,
  knownAccount,
  requireFieldData,
  requireFieldType,
} from '../../store/profile-fields/field-types.ts'
import {
  changeProfileField,
  deleteProfileFieldRow,
  findProfileField,
  insertProfileField,
  listProfileFields,
  type ProfileField,
  putProfileFieldOrder,
} from '../../store/profile-fields/profile-field-rows.ts'

const MAX_NAME_LENGTH = 40

const HINT_LENGTH = 80

const name = v.optional(trimmedTextUpTo(MAX_NAME_LENGTH))

const hint = v.optional(trimmedTextUpTo(HINT_LENGTH))

const field_data = v.optional(
  json(mapUpTo(MAX_HANDMADE_LIST_LENGTH, textUpTo(NAME_LENGTH), valueUpTo(VALUE_LENGTH))),
)

const flags = {
  display_in_profile_summary: v.optional(jsonBoolean),
  required: v.optional(jsonBoolean),
  editable_by_user: v.optional(jsonBoolean),
  use_for_user_matching: v.optional(
    described(jsonBoolean, 'Whether clients also find people by its values.'),
  ),
}

/** Parameters of a profile field. Source: docs/interface/organization.md#profile-fields. */
const fieldParams = { name, hint, field_data, ...flags }

/** Lists the profile fields, in order. Source: docs/interface/organization.md#profile-fields. */
export const getProfileFieldsEndpoint = defineEndpoint({
  operation: 'get-custom-profile-fields',
  route: 'GET /realm/profile_fields',
  access: 'user',
  returns: v.object({ custom_fields: v.array(profileFieldSchema) }),
  query: ({ sql }) => ({ custom_fields: presentProfileFields(sql) }),
})

export const createProfileFieldEndpoint = defineEndpoint({
  operation: 'create-custom-profile-field',
  route: 'POST /realm/profile_fields',
  access: 'administrator',
  params: { name, hint, field_type: jsonInteger, field_data, ...flags },
  returns: v.object({ id: v.number() }),
  apply(tx, caller, { field_type, ...params }) {
    const type = requireFieldType(field_type)
    const fieldData = requireFieldData(type, params.field_data ?? {})
    // A known site has a fixed name and hint.
    const site = knownAccount(type, fieldData)
    const field = {
      type,
      name: site?.name ?? params.name?.trim() ?? '',
      hint: site?.hint ?? params.hint?.trim() ?? '',
      fieldData,
      isInSummary: params.display_in_profile_summary ?? false,
      isRequired: params.required ?? false,
      isEditableByUser: params.editable_by_user ?? true,
      isMatched: params.use_for_user_matching ?? false,
    }
    requireUsableField(tx.sql, field)
    const id = withinQuota(tx, caller, 'profileFields', () => insertProfileField(tx.sql, field))
    announceProfileFields(tx)
    return { id }
  },
  audit: 'shown',
})

/** Changes a field. Values that are no longer among its choices are withdrawn, in commits of their own if there are thousands. */
export const updateProfileFieldEndpoint = defineEndpoint({
  operation: 'update-custom-profile-field',
  route: 'PATCH /realm/profile_fields/:field_id',
  access: 'administrator',
  params: { field_id: pathInteger, ...fieldParams },
  apply(tx, caller, { field_id, ...params }) {
    const field = requireField(tx.sql, field_id)
    if (knownAccount(field.type, field.fieldData)) requireOnlySummary(field, params)
    const changed: ProfileField = {
      ...field,
      name: params.name?.trim() ?? field.name,
      hint: params.hint?.trim() ?? field.hint,
      fieldData:
        params.field_data === undefined ? field.fieldData : requireFieldData(field.type, params.field_data),
      isInSummary: params.display_in_profile_summary ?? field.isInSummary,
      isRequired: params.required ?? field.isRequired,
      isEditableByUser: params.editable_by_user ?? field.isEditableByUser,
      isMatched: params.use_for_user_matching ?? field.isMatched,
    }
    requireUsableField(tx.sql, changed)
    withinQuota(tx, caller, 'profileFields', () => changeProfileField(tx.sql, changed))
    announceProfileFields(tx)
    if (losesChoices(field, changed)) withdrawValues(tx, field.id)
  },
  audit: 'shown',
})

/** Deletes a field with everyone's values, in commits of their own if there are thousands: nobody can enter new ones meanwhile. */
export const deleteProfileFieldEndpoint = defineEndpoint({
  operation: 'delete-custom-profile-field',
  route: 'DELETE /realm/profile_fields/:field_id',
  access: 'administrator',
  params: { field_id: pathInteger },
  apply(tx, _caller, { field_id }) {
    const field = requireField(tx.sql, field_id)
    deleteProfileFieldRow(tx.sql, field.id)
    announceProfileFields(tx)
    withdrawValues(tx, field.id)
  },
  audit: 'shown',
})

export const reorderProfileFieldsEndpoint = defineEndpoint({
  operation: 'reorder-custom-profile-fields',
  route: 'PATCH /realm/profile_fields',
  access: 'administrator',
  params: { order: jsonIds },
  apply(tx, _caller, { order }) {
    const known = listProfileFields(tx.sql).map(({ id }) => id)
    if (order.length !== known.length || known.some((id) => !order.includes(id))) {
      throw new BadRequestError('Invalid order mapping.')
    }
    putProfileFieldOrder(tx.sql, order)
    announceProfileFields(tx)
  },
  audit: 'shown',
})

function requireField(sql: Sql, id: number): ProfileField {
  const field = findProfileField(sql, id)
  if (!field) throw new BadRequestError(`Field id ${id} not found.`)
  return field
}

/** Refuses changes to a known site's name and URL, which the organization cannot choose. */
function requireOnlySummary(
  field: ProfileField,
  { name, hint, field_data }: ParametersOf<typeof fieldParams>,
): void {
  const isChanged =
    (name !== undefined && name.trim() !== field.name) ||
    (hint !== undefined && hint.trim() !== field.hint) ||
    (field_data !== undefined && requireFieldData(field.type, field_data) !== field.fieldData)
  if (isChanged) throw new BadRequestError('Default custom field cannot be updated.')
}

/** Whether a choice was removed, so that some values may be invalid. */
function losesChoices(before: ProfileField, after: ProfileField): boolean {
  if (before.type !== FIELD_TYPE.SELECT) return false
  const choices = choicesOf(after.fieldData)
  return Object.keys(choicesOf(before.fieldData)).some((choice) => !Object.hasOwn(choices, choice))
}

/** Emits the list of all profile fields to everyone (docs/interface/events.md#events-about-the-organization). */
function announceProfileFields(tx: RealmTransaction): void {
  tx.emit({ type: 'custom_profile_fields', fields: presentProfileFields(tx.sql) }, EVERYONE)
}

/** Changes the caller's own profile. Source: docs/interface/users.md#profile-data. */
export const updateOwnProfileDataEndpoint = defineEndpoint({
  operation: 'update-own-profile-data',
  route: 'PATCH /users/me/profile_data',
  access: 'human',
  params: { data: profileData },
  apply: updateOwnProfileData,
  audit: 'own',
})

export const removeOwnProfileDataEndpoint = defineEndpoint({
  operation: 'remove-own-profile-data',
  route: 'DELETE /users/me/profile_data',
  access: 'human',
  params: { data: jsonIds },
  apply: removeOwnProfileData,
  audit: 'own',
})
