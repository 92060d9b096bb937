import { type Audience, EVERYONE } from '../../core/audience.ts'
import { BadRequestError } from '../../core/errors.ts'
import { firstUnfitInName } from '../../core/names.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { isLongerThan } from '../../core/text-length.ts'
import type { StoredUserGroupEvent } from '../../events/user-group.ts'
import { keepScimGroup } from '../../store/scim/scim-rows.ts'
import {
  changeGroup,
  findGroup,
  findGroupNamed,
  renameGroup,
  type UserGroup,
} from '../../store/user-groups/user-group-rows.ts'
import { presentUserGroup } from './present-user-group.ts'

/** Emits an event, by default to everybody, guests included (docs/interface/events.md#events-about-channels-and-groups). */
export function emitGroupEvent(
  tx: RealmTransaction,
  event: { readonly op: StoredUserGroupEvent['op'] } & Readonly<Record<string, unknown>>,
  audience: Audience = EVERYONE,
): void {
  tx.emit({ type: 'user_group', ...event }, audience)
}

/** Renames a group. Only clients that know deactivated groups are notified of their new names. */
export function changeGroupName(tx: RealmTransaction, group: UserGroup, given: string): void {
  const name = requireFreeGroupName(tx.sql, given, group.id)
  if (name === group.name) return
  renameGroup(tx.sql, group.id, name)
  emitGroupEvent(tx, {
    op: 'update',
    group_id: group.id,
    data: { name },
    ...(group.isDeactivated ? { for_deactivated_groups: 'yes' } : {}),
  })
}

/** Deactivates a group that nothing names any more. */
export function deactivateGroup(tx: RealmTransaction, { id }: UserGroup): void {
  changeGroup(tx.sql, id, { isDeactivated: true })
  emitGroupEvent(tx, {
    op: 'update',
    group_id: id,
    data: { deactivated: true },
    for_deactivated_groups: 'yes',
  })
  emitGroupEvent(tx, { op: 'remove', group_id: id, for_deactivated_groups: 'no' })
}

/** Reactivates a group with its members. An identity provider that has deleted it finds it again. */
export function activateGroup(tx: RealmTransaction, { id }: UserGroup): void {
  changeGroup(tx.sql, id, { isDeactivated: false })
  keepScimGroup(tx.sql, id)
  emitGroupEvent(tx, {
    op: 'update',
    group_id: id,
    data: { deactivated: false },
    for_deactivated_groups: 'yes',
  })
  const group = presentUserGroup(tx, findGroup(tx.sql, id)!)
  emitGroupEvent(tx, { op: 'add', group, for_deactivated_groups: 'no' })
}

/** Code points (docs/interface/conventions.md#limits). */
const MAX_NAME_LENGTH = 100

/** Prefixes that would make a name look like something else. */
const RESERVED_PREFIXES = ['@', 'role:', 'user:', 'stream:', 'channel:']

/** Returns the name in its stored form. A deactivated group keeps its name. Errors: docs/interface/groups.md#change-a-group. */
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
