import type { RequestSource } from '../../core/call.ts'
import type { Command, ReadCommand } from '../../core/command.ts'
import type { Sql } from '../../core/sql.ts'
import { deactivateGroup } from '../user-groups/activate-group.ts'
import { usesOfGroup } from '../user-groups/group-uses.ts'
import { findGroup, type UserGroup } from '../user-groups/user-group-rows.ts'
import { type ChangedGroup, changeScimGroupAs, enterScimGroup } from './change-scim-group.ts'
import { requireTag } from './entity-tag.ts'
import { findScimGroup, idsOfGroups, membersOf } from './find-scim-groups.ts'
import { presentScimGroup } from './present-scim-group.ts'
import type { ScimGroupChanges } from './read-scim-group.ts'
import { noResource, ScimError } from './scim-error.ts'
import { putScimGroup, scimGroupFacts } from './scim-group-rows.ts'
import type { ScimGroup } from './scim-schemas.ts'
import { scimPeople } from './scim-user-rows.ts'
import type { ScimPage } from './scim-users.ts'

interface Provider {
  readonly source: RequestSource
}

interface Shown {
  /** Whether the answer has the members. */
  readonly with_members: boolean
}

interface GroupId {
  readonly group_id: number
  /** Entity tags, one of which the group must have. */
  readonly if_match?: string
}

interface Answered {
  readonly resource: ScimGroup
}

/** Members of all groups of a page. It ends before the group with which they would be more; one group is always shown. */
const MEMBERS_OF_PAGE = 20_000

/** Lists groups. Source: docs/scim.md#groups. */
export const listScimGroups: ReadCommand<
  Provider,
  ScimPage & Shown,
  void,
  { readonly total: number; readonly resources: readonly ScimGroup[] }
> = {
  reads: true,
  apply(tx, { source: { origin } }, { filter, start_index, count, with_members }) {
    const ids = idsOfGroups(tx, filter)
    const people = scimPeople(tx.sql)
    const resources: ScimGroup[] = []
    let shown = 0
    for (const id of ids.slice(start_index - 1, start_index - 1 + count)) {
      const group = findScimGroup(tx.sql, id)
      if (!group) continue
      const members = membersOf(tx.sql, id, people)
      shown += members.size
      if (shown > MEMBERS_OF_PAGE && resources.length > 0) break
      resources.push(presentScimGroup(tx.sql, group, members, { origin, withMembers: with_members }))
    }
    return { total: ids.length, resources }
  },
}

export const getScimGroup: ReadCommand<Provider, GroupId & Shown, void, Answered> = {
  reads: true,
  apply(tx, { source: { origin } }, { group_id, with_members }) {
    const group = requireScimGroup(tx.sql, group_id)
    const members = membersOf(tx.sql, group_id)
    return { resource: presentScimGroup(tx.sql, group, members, { origin, withMembers: with_members }) }
  },
}

/** Makes a group whose members the provider manages. */
export const createScimGroup: Command<
  Provider,
  Shown & { readonly changes: ScimGroupChanges },
  void,
  Answered
> = {
  apply: (tx, provider, { changes, ...shown }) =>
    answered(tx.sql, provider, enterScimGroup(tx, provider, changes), shown),
}

/** Changes a group, for PUT and PATCH: both say what is to be, and leave alone what they do not name. */
export const changeScimGroup: Command<
  Provider,
  GroupId & Shown & { readonly changes: ScimGroupChanges },
  void,
  Answered
> = {
  apply(tx, provider, { group_id, changes, if_match, ...shown }) {
    const group = requireScimGroup(tx.sql, group_id)
    requireTag(if_match, () => tagOf(tx.sql, group))
    return answered(tx.sql, provider, changeScimGroupAs(tx, provider, group, changes), shown)
  },
}

/** Deactivates a group that no permission names, and nothing else that would lose its meaning. */
export const deleteScimGroup: Command<Provider, GroupId, void, object> = {
  apply(tx, _, { group_id, if_match }) {
    const group = requireScimGroup(tx.sql, group_id)
    requireTag(if_match, () => tagOf(tx.sql, group))
    if (tx.use(usesOfGroup, group_id).length > 0) {
      throw new ScimError(409, 'The group is in use: a permission, or another group, names it')
    }
    deactivateGroup(tx, group)
    const externalId = scimGroupFacts(tx.sql, group_id)?.externalId ?? null
    putScimGroup(tx.sql, group_id, externalId, tx.now)
    return {}
  },
}

function requireScimGroup(sql: Sql, id: number): UserGroup {
  const group = findScimGroup(sql, id)
  if (!group) throw noResource(id)
  return group
}

function tagOf(sql: Sql, group: UserGroup): string {
  const members = membersOf(sql, group.id)
  return presentScimGroup(sql, group, members, { origin: '', withMembers: false }).meta.version
}

function answered(
  sql: Sql,
  { source: { origin } }: Provider,
  { id, members }: ChangedGroup,
  { with_members }: Shown,
): Answered {
  const shown = { origin, withMembers: with_members }
  return { resource: presentScimGroup(sql, findGroup(sql, id)!, members, shown) }
}
