import * as v from 'valibot'
import { BadRequestError } from '../../core/errors.ts'
import type { Sql } from '../../core/sql.ts'
import { isLongerThan } from '../../core/text-length.ts'
import { choicesOf, FIELD_TYPE, isWebAddress } from '../../store/profile-fields/field-types.ts'
import type { ProfileField } from '../../store/profile-fields/profile-field-rows.ts'
import { findUsers } from '../../store/users/user-rows.ts'

/** A value as a client sends it; people are given by their ids. */
export type FieldValue = string | readonly number[] | null

export const SHORT_LENGTH = 50
export const LONG_LENGTH = 500

/**
 * Returns the stored form of a value: text, or the ids as JSON; undefined when it is empty, and to be
 * removed. Source: docs/interface/organization.md#profile-fields.
 */
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
