import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import type { IdSet } from '../../core/id-set.ts'
import { defineReader, type Steps } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { entityTagOf, GROUP_SCHEMA, type ScimGroup } from '../../model/scim/scim-answer.ts'
import {
  comparable,
  type Filter,
  GROUP_ATTRIBUTES,
  membersNamed,
  readFilter,
  testOf,
  valueAt,
} from '../../model/scim/scim-filter.ts'
import { SCIM_PATH } from '../../model/scim/scim-token.ts'
import { isSystemGroupId } from '../../rules/system-groups.ts'
import { groupsWithExternalId, scimGroupFacts, scimPeople } from '../../store/scim/scim-rows.ts'
import { directMembers } from '../../store/user-groups/membership-rows.ts'
import {
  findGroup,
  findGroupNamed,
  listMadeGroups,
  type UserGroup,
} from '../../store/user-groups/user-group-rows.ts'
import { scimTime } from './find-scim-users.ts'

/** Returns a group if it is visible to identity providers: active, and not a system group. */
export function findScimGroup(sql: Sql, id: number): UserGroup | undefined {
  const group = isSystemGroupId(id) ? undefined : findGroup(sql, id)
  return group?.isDeactivated ? undefined : group
}

/** Returns a group's direct members. Bots, and members of its subgroups, are not shown to providers. */
export function membersOf(sql: Sql, groupId: number, people: IdSet = scimPeople(sql)): IdSet {
  return directMembers(sql, groupId).and(people)
}

/** Returns the ids of all groups that match a filter, ascending; without one, of all. @throws ScimError (400, invalidFilter) */
export function idsOfGroups(tx: RealmReads, text: string | undefined): readonly number[] {
  const { sql } = tx
  if (text === undefined) return activeGroups(sql)
  const filter = readFilter(text, GROUP_ATTRIBUTES)
  const among = candidates(sql, filter)
  if (!among) return tx.use(groupsFound, text)
  const comparison = comparisonOf(sql, filter)
  return among.filter((id) => matchesGroup(comparison, id))
}

function candidates(sql: Sql, filter: Filter): number[] | undefined {
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

/** Rows that take as long as comparing a group; and members that take as long to read as a row. */
const ROWS_OF_GROUP = 20
const MEMBERS_OF_ROW = 100

const groupsFound = defineReader({
  name: 'groups that a filter of an identity provider finds',
  allowStale: true,
  key: (text: string) => text,
  *read({ sql }, text): Steps<readonly number[]> {
    const comparison = comparisonOf(sql, readFilter(text, GROUP_ATTRIBUTES))
    const ids: number[] = []
    let rows = 0
    for (const id of activeGroups(sql)) {
      if (matchesGroup(comparison, id)) ids.push(id)
      rows += ROWS_OF_GROUP + Math.ceil(directMembers(sql, id).size / MEMBERS_OF_ROW)
      if (rows < ENTRIES_AT_ONCE) continue
      yield rows
      rows = 0
    }
    return ids
  },
})

/** The facts with which groups are compared. */
interface Comparison {
  readonly sql: Sql
  readonly matches: (resource: object) => boolean
  readonly people: IdSet
  /** Ids of members that the filter names. */
  readonly named: readonly number[]
}

function comparisonOf(sql: Sql, filter: Filter): Comparison {
  const named = membersNamed(filter).filter((id) => /^[1-9]\d{0,14}$/.test(id))
  return { sql, matches: testOf(filter), people: scimPeople(sql), named: [...new Set(named)].map(Number) }
}

/** Stands for the id of a member that the filter does not name. */
const OTHER = Symbol('other')

/** Whether a group matches. Members are read only if the filter asks for them: those that it names, and one that stands for all others. */
function matchesGroup({ sql, matches, people, named }: Comparison, id: number): boolean {
  const group = findScimGroup(sql, id)
  if (!group) return false
  const compared = comparable(filteredPartOfGroup(sql, group))
  Object.defineProperty(compared, 'members', {
    enumerable: true,
    get() {
      const members = membersOf(sql, id, people)
      const found = named.filter((one) => members.has(one))
      const others = members.size > found.length ? [OTHER] : []
      return [...found.map(String), ...others].map((value) => ({ value, type: 'user' }))
    },
  })
  return matches(compared)
}

/** Returns a group in the form for identity providers, with or without its members. The entity tag is the same. */
export function presentScimGroup(
  sql: Sql,
  group: UserGroup,
  members: IdSet,
  { origin, withMembers }: { readonly origin: string; readonly withMembers: boolean },
): ScimGroup {
  const { id } = group
  const { content, times } = partsOf(sql, group)
  const values = members.toArray().map((member) => ({ value: String(member), type: 'User' }))
  return {
    ...content,
    ...(withMembers ? { members: values } : {}),
    meta: {
      resourceType: 'Group',
      ...times,
      location: `${origin}${SCIM_PATH}/Groups/${id}`,
      version: entityTagOf({ ...content, members: values }),
    },
  }
}

/** Returns the group's attributes for filters, except its members and the tag, which takes as long as everything else. */
function filteredPartOfGroup(sql: Sql, group: UserGroup): object {
  const { content, times } = partsOf(sql, group)
  return { ...content, meta: times }
}

function partsOf(sql: Sql, { id, name, createdAt }: UserGroup) {
  const facts = scimGroupFacts(sql, id)
  const content = {
    schemas: [GROUP_SCHEMA],
    id: String(id),
    ...(facts?.externalId == null ? {} : { externalId: facts.externalId }),
    displayName: name,
  }
  const times = {
    ...(createdAt === null ? {} : { created: scimTime(createdAt) }),
    ...(facts ? { lastModified: scimTime(facts.changedAt) } : {}),
  }
  return { content, times }
}
