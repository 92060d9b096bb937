import * as v from 'valibot'
import { BadRequestError } from '../../core/errors.ts'
import { firstUnfitInName, nameKey } from '../../core/names.ts'
import type { Sql } from '../../core/sql.ts'
import { isLongerThan } from '../../core/text-length.ts'
import type { PresentedProfileField } from '../../events/realm-lists.ts'
import {
  choicesOf,
  FIELD_TYPE,
  isWebAddress,
  mayBeInSummary,
} from '../../store/profile-fields/field-types.ts'
import { listProfileFields, type ProfileField } from '../../store/profile-fields/profile-field-rows.ts'
import { findUsers } from '../../store/users/user-rows.ts'

const MAX_IN_SUMMARY = 2

/** Refuses a field that cannot be used, or whose name is taken. `id`: the changed field; absent for a new one. */
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

/** Returns the fields in their order, counted from 1. Source: docs/interface/register.md#what-the-snapshot-has. */
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

/** A value as a client sends it; people are given by their ids. */
export type FieldValue = string | readonly number[] | null

export const SHORT_LENGTH = 50
export const LONG_LENGTH = 500

/** Returns the stored form of a value: a text, or ids as JSON; undefined for an empty value, which removes the stored one. */
export function requireFieldValue(sql: Sql, field: ProfileField, value: FieldValue): string | undefined {
  if (value === null || value.length === 0) return undefined
  if (field.type === FIELD_TYPE.USER) return requirePeople(sql, field, value)
  if (typeof value !== 'string') throw new BadRequestError(`${field.name} is not a string`)
  switch (field.type) {
    case FIELD_TYPE.LONG_TEXT:
      return requireLength(field, value, LONG_LENGTH)
    case FIELD_TYPE.DATE:
      if (!isDate(value)) throw new BadRequestError(`${field.name} is not a date`)
      return value
    case FIELD_TYPE.URL:
      if (!isWebAddress(value)) throw new BadRequestError(`${field.name} is not a URL`)
      return value
    case FIELD_TYPE.SELECT:
      if (!Object.hasOwn(choicesOf(field.fieldData), value)) {
        throw new BadRequestError(`'${value}' is not a valid choice for '${field.name}'.`)
      }
      return value
    default:
      return requireLength(field, value, SHORT_LENGTH)
  }
}

function requireLength({ name }: ProfileField, value: string, limit: number): string {
  if (isLongerThan(value, limit))
    throw new BadRequestError(`${name} is too long (limit: ${limit} characters)`)
  return value
}

function isDate(value: string): boolean {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00Z`) : undefined
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

function requirePeople(sql: Sql, { name }: ProfileField, value: string | readonly number[]): string {
  const ids = v.safeParse(v.array(v.pipe(v.number(), v.safeInteger())), value)
  if (!ids.success) throw new BadRequestError(`${name} is not a list`)
  const people = findUsers(sql, ids.output)
  const unknown = ids.output.filter((id) => !people.has(id) || people.get(id)!.isSystemBot)
  if (unknown.length > 0) throw new BadRequestError(`Invalid user IDs: ${unknown.join(', ')}`)
  for (const user of people.values()) {
    if (!user.isActive) throw new BadRequestError(`User with ID ${user.id} is deactivated`)
    if (user.botType !== null) throw new BadRequestError(`User with ID ${user.id} is a bot`)
  }
  return JSON.stringify(ids.output)
}
