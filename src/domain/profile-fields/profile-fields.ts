import { EVERYONE } from '../../core/audience.ts'
import type { Command, ReadCommand } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { firstUnfitInName, nameKey } from '../../core/names.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { StoredCustomProfileFieldsEvent } from '../../events/custom-profile-fields.ts'
import type { Caller } from '../caller.ts'
import { withinQuota } from '../quotas/within-quota.ts'
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
import { withdrawValues } from './withdraw-values.ts'

/** Parameters of a profile field. Source: docs/interface/organization.md#profile-fields. */
export interface ProfileFieldParams {
  readonly name?: string
  readonly hint?: string
  readonly field_data?: Readonly<Record<string, unknown>>
  readonly display_in_profile_summary?: boolean
  readonly required?: boolean
  readonly editable_by_user?: boolean
  readonly use_for_user_matching?: boolean
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
      isMatched: params.use_for_user_matching ?? false,
    }
    requireUsable(tx.sql, field)
    const id = withinQuota(tx, caller, 'profileFields', () => insertProfileField(tx.sql, field))
    announceProfileFields(tx)
    return { id }
  },
}

/** Changes a field. Values that are no longer among its choices are withdrawn, those of thousands in commits of their own. */
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
      isMatched: params.use_for_user_matching ?? field.isMatched,
    }
    requireUsable(tx.sql, changed)
    withinQuota(tx, caller, 'profileFields', () => changeProfileField(tx.sql, changed))
    announceProfileFields(tx)
    if (losesChoices(field, changed)) withdrawValues(tx, field.id)
    return {}
  },
}

/** Deletes a field with everybody's values of it, those of thousands in commits of their own: nobody can give others meanwhile. */
export const deleteProfileField: Command<Caller, FieldId, void, object> = {
  apply(tx, _caller, { field_id }) {
    const field = requireField(tx.sql, field_id)
    deleteProfileFieldRow(tx.sql, field.id)
    announceProfileFields(tx)
    withdrawValues(tx, field.id)
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

/** Refuses changes to the name and the address of a known site, which the organization cannot choose. */
function requireOnlySummary(field: ProfileField, { name, hint, field_data }: ProfileFieldParams): void {
  const isChanged =
    (name !== undefined && name.trim() !== field.name) ||
    (hint !== undefined && hint.trim() !== field.hint) ||
    (field_data !== undefined && requireFieldData(field.type, field_data) !== field.fieldData)
  if (isChanged) throw new BadRequestError('Default custom field cannot be updated.')
}

/** Whether there may be values that are no longer among the choices. */
function losesChoices(before: ProfileField, after: ProfileField): boolean {
  if (before.type !== FIELD_TYPE.SELECT) return false
  const choices = choicesOf(after.fieldData)
  return Object.keys(choicesOf(before.fieldData)).some((choice) => !Object.hasOwn(choices, choice))
}

/**
 * Emits the list of all profile fields to everybody (docs/interface/events.md#events-about-the-organization).
 */
function announceProfileFields(tx: RealmTransaction): void {
  const event: StoredCustomProfileFieldsEvent = {
    type: 'custom_profile_fields',
    fields: presentProfileFields(tx.sql),
  }
  tx.emit(event, EVERYONE)
}
