import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import type { IdSet } from '../../core/id-set.ts'
import { defineReader, type Steps } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { isSystemGroupId } from '../../permissions/system-groups.ts'
import { directMembers } from '../user-groups/membership-rows.ts'
import { findGroup, findGroupNamed, listMadeGroups, type UserGroup } from '../user-groups/user-group-rows.ts'
import { presentScimGroup } from './present-scim-group.ts'
import { comparable, GROUP_ATTRIBUTES, readFilter, testOf, valueAt } from './scim-filter.ts'
import { groupsWithExternalId } from './scim-group-rows.ts'
import { scimPeople } from './scim-user-rows.ts'

/** Returns a group that an identity provider finds: active, and none of those that follow from roles. */
export function findScimGroup(sql: Sql, id: number): UserGroup | undefined {
  const group = isSystemGroupId(id) ? undefined : findGroup(sql, id)
  return group?.isDeactivated ? undefined : group
}

/** Returns the people who are directly in a group. Bots, and those in its subgroups, are none of the provider's. */
export function membersOf(sql: Sql, groupId: number, people: IdSet = scimPeople(sql)): IdSet {
  return directMembers(sql, groupId).and(people)
}

/** Returns the ids of all groups that a filter finds, ascending; without one, of all. @throws ScimError (400, invalidFilter) */
export function idsOfGroups(tx: RealmReads, text: string | undefined): readonly number[] {
  const { sql } = tx
  if (text === undefined) return activeGroups(sql)
  const filter = readFilter(text, GROUP_ATTRIBUTES)
  const among = candidates(sql, filter)
  if (!among) return tx.use(groupsFound, text)
  const [matches, people] = [testOf(filter), scimPeople(sql)]
  return among.filter((id) => {
    const group = findScimGroup(sql, id)
    return group && matches(comparedOf(sql, group, people))
  })
}

function candidates(sql: Sql, filter: ReturnType<typeof readFilter>): number[] | undefined {
  const id = valueAt(filter, 'id')
  if (id !== undefined) return /^\d{1,15}$/.test(id) ? [Number(id)] : []
  const externalId = valueAt(filter, 'externalid')
  if (externalId !== undefined) return groupsWithExternalId(sql, externalId)
  const name = valueAt(filter, 'displayname')
  if (name === undefined) return undefined
  const group = findGroupNamed(sql, name)
  return group ? [group.id] : []
}

function activeGroups(sql: Sql): number[] {
  return listMadeGroups(sql).flatMap(({ id, isDeactivated }) => (isDeactivated ? [] : [id]))
}

/** Groups with their members that are compared before others are served, and rows that each counts. */
const ROWS_OF_GROUP = 20

const groupsFound = defineReader({
  name: 'groups that a filter of an identity provider finds',
  mayLag: true,
  key: (text: string) => text,
  *read({ sql }, text): Steps<readonly number[]> {
    const matches = testOf(readFilter(text, GROUP_ATTRIBUTES))
    const people = scimPeople(sql)
    const ids: number[] = []
    for (const [at, id] of activeGroups(sql).entries()) {
      if (at % (ENTRIES_AT_ONCE / ROWS_OF_GROUP) === 0) yield ENTRIES_AT_ONCE
      const group = findScimGroup(sql, id)
      if (group && matches(comparedOf(sql, group, people))) ids.push(id)
    }
    return ids
  },
})

/** Members are read only where the filter asks for them. */
function comparedOf(sql: Sql, group: UserGroup, people: IdSet): object {
  const presented = presentScimGroup(sql, group, people.andNot(people), { origin: '', withMembers: false })
  const compared = comparable(presented)
  Object.defineProperty(compared, 'members', {
    enumerable: true,
    get: () =>
      membersOf(sql, group.id, people)
        .toArray()
        .map((id) => ({ value: String(id), type: 'user' })),
  })
  return compared
}
