import type { Command, ReadCommand } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { Caller } from '../caller.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { usersWithFieldValue } from '../users/user-rows.ts'
import { announceProfileFields } from './announce-profile-fields.ts'
import { putFieldValue } from './change-profile-data.ts'
import {
  choicesOf,
  FIELD_TYPE,
  knownAccount,
  mayBeInSummary,
  requireFieldData,
  requireFieldType,
} from './field-types.ts'
import { presentProfileFields } from './present-profile-fields.ts'
import {
  changeProfileField,
  deleteProfileFieldRow,
  findProfileField,
  insertProfileField,
  listProfileFields,
  type ProfileField,
  putProfileFieldOrder,
} from './profile-field-rows.ts'

/** Parameters of a profile field. Source: docs/interface/organization.md#profile-fields. */
export interface ProfileFieldParams {
  readonly name?: string
  readonly hint?: string
  readonly field_data?: Readonly<Record<string, unknown>>
  readonly display_in_profile_summary?: boolean
  readonly required?: boolean
  readonly editable_by_user?: boolean
}

interface FieldId {
  readonly field_id: number
}

const MAX_IN_SUMMARY = 2

export const getProfileFields: ReadCommand<Caller, object, void, object> = {
  reads: true,
  apply: ({ sql }) => ({ custom_fields: presentProfileFields(sql) }),
}

export const createProfileField: Command<
  Caller,
  ProfileFieldParams & { readonly field_type: number },
  void,
  { readonly id: number }
> = {
  apply(tx, caller, { field_type, ...params }) {
    const type = requireFieldType(field_type)
    const fieldData = requireFieldData(type, params.field_data ?? {})
    // A known site has its own name and hint.
    const site = knownAccount(type, fieldData)
    const field = {
      type,
      name: site?.name ?? params.name?.trim() ?? '',
      hint: site?.hint ?? params.hint?.trim() ?? '',
      fieldData,
      isInSummary: params.display_in_profile_summary ?? false,
      isRequired: params.required ?? false,
      isEditableByUser: params.editable_by_user ?? true,
    }
    requireUsable(tx.sql, field)
    const id = withinQuota(tx, caller, 'profileFields', () => insertProfileField(tx.sql, field))
    announceProfileFields(tx)
    return { id }
  },
}

export const updateProfileField: Command<Caller, FieldId & ProfileFieldParams, void, object> = {
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
    }
    requireUsable(tx.sql, changed)
    withinQuota(tx, caller, 'profileFields', () => changeProfileField(tx.sql, changed))
    announceProfileFields(tx)
    if (field.type === FIELD_TYPE.SELECT) withdrawLostChoices(tx, field, changed)
    return {}
  },
}

/** Deletes a field with everybody's values of it. */
export const deleteProfileField: Command<Caller, FieldId, void, object> = {
  apply(tx, _caller, { field_id }) {
    const field = requireField(tx.sql, field_id)
    for (const user of usersWithFieldValue(tx.sql, field.id)) putFieldValue(tx, user, field.id, undefined)
    deleteProfileFieldRow(tx.sql, field.id)
    announceProfileFields(tx)
    return {}
  },
}

export const reorderProfileFields: Command<Caller, { readonly order: readonly number[] }, void, object> = {
  apply(tx, _caller, { order }) {
    const known = listProfileFields(tx.sql).map(({ id }) => id)
    if (order.length !== known.length || known.some((id) => !order.includes(id))) {
      throw new BadRequestError('Invalid order mapping.')
    }
    putProfileFieldOrder(tx.sql, order)
    announceProfileFields(tx)
    return {}
  },
}

function requireField(sql: Sql, id: number): ProfileField {
  const field = findProfileField(sql, id)
  if (!field) throw new BadRequestError(`Field id ${id} not found.`)
  return field
}

function requireUsable(sql: Sql, field: Omit<ProfileField, 'id'> & { readonly id?: number }): void {
  const others = listProfileFields(sql).filter(({ id }) => id !== field.id)
  if (field.name === '') throw new BadRequestError('Label cannot be blank.')
  if (field.isInSummary && !mayBeInSummary(field.type)) {
    throw new BadRequestError('Field type not supported for display in profile summary.')
  }
  if (field.isInSummary && others.filter(({ isInSummary }) => isInSummary).length >= MAX_IN_SUMMARY) {
    throw new BadRequestError(
      `Only ${MAX_IN_SUMMARY} custom profile fields can be displayed in the profile summary.`,
    )
  }
  if (others.some(({ name }) => name === field.name)) {
    throw new BadRequestError('A field with that label already exists.')
  }
}

/** Refuses changes to the name and the address of a known site, which the organization cannot choose. */
function requireOnlySummary(field: ProfileField, { name, hint, field_data }: ProfileFieldParams): void {
  const isChanged =
    (name !== undefined && name.trim() !== field.name) ||
    (hint !== undefined && hint.trim() !== field.hint) ||
    (field_data !== undefined && requireFieldData(field.type, field_data) !== field.fieldData)
  if (isChanged) throw new BadRequestError('Default custom field cannot be updated.')
}

/** Deletes values that are no longer among the choices. Looks at nobody if all choices stay. */
function withdrawLostChoices(tx: RealmTransaction, before: ProfileField, after: ProfileField): void {
  const choices = choicesOf(after.fieldData)
  const lost = Object.keys(choicesOf(before.fieldData)).filter((choice) => !Object.hasOwn(choices, choice))
  if (lost.length === 0) return
  for (const user of usersWithFieldValue(tx.sql, after.id, lost)) putFieldValue(tx, user, after.id, undefined)
}
