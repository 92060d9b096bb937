import { BadRequestError } from '../../core/errors.ts'
import { firstUnfitInName } from '../../core/names.ts'
import type { Sql } from '../../core/sql.ts'
import { isLongerThan } from '../../core/text-length.ts'
import { findGroupNamed } from '../../store/user-groups/user-group-rows.ts'

/** Code points (docs/interface/conventions.md#limits). */
const MAX_NAME_LENGTH = 100

/** Prefixes of names that would be mistaken for something else. */
const RESERVED_PREFIXES = ['@', 'role:', 'user:', 'stream:', 'channel:']

/**
 * Returns the name in its stored form. A deactivated group keeps its name. Errors:
 * docs/interface/groups.md#change-a-group.
 */
export function requireFreeGroupName(sql: Sql, given: string, groupId?: number): string {
  const name = given.trim()
  if (name === '') throw new BadRequestError("User group name can't be empty!")
  if (isLongerThan(name, MAX_NAME_LENGTH)) {
    throw new BadRequestError(`User group name cannot exceed ${MAX_NAME_LENGTH} characters.`)
  }
  const prefix = RESERVED_PREFIXES.find((reserved) => name.startsWith(reserved))
  if (prefix !== undefined) throw new BadRequestError(`User group name cannot start with '${prefix}'.`)
  const position = firstUnfitInName(name)
  if (position !== undefined) {
    throw new BadRequestError(`Invalid character in user group name, at position ${position}.`)
  }
  const namesake = findGroupNamed(sql, name)
  if (namesake && namesake.id !== groupId) throw new BadRequestError(`User group '${name}' already exists.`)
  return name
}
