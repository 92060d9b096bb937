import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { integer } from '../../api/parameter-types.ts'
import type { Sql } from '../../core/sql.ts'
import type { Anyone } from '../../model/caller.ts'
import { usesOfGroup } from '../../model/group-changes/group-uses.ts'
import type { ScimGroupChanges } from '../../model/scim/read-scim-group.ts'
import { noResource, requireTag, ScimError, type ScimGroup } from '../../model/scim/scim-answer.ts'
import { deactivateGroup } from '../../model/user-groups/change-group.ts'
import type { AuditDetails } from '../../store/audit-log/audit-entry-rows.ts'
import { forgetScimGroup, scimPeople } from '../../store/scim/scim-rows.ts'
import { findGroup, type UserGroup } from '../../store/user-groups/user-group-rows.ts'
import { type ChangedGroup, changeScimGroupAs, insertScimGroup } from './change-scim-group.ts'
import { findScimGroup, idsOfGroups, membersOf, presentScimGroup } from './find-scim-groups.ts'
import { groupChanges, ifMatch, page } from './scim-users.ts'

/** An identity provider's operations on groups (docs/scim.md#groups). */

const ACCESS = { access: 'provisioning', rateLimit: 'provisioning' } as const

const BY_PROVIDER = { scim: true }

const one = { group_id: integer, if_match: ifMatch }

const shown = { with_members: v.boolean() }

/** Lists groups. Source: docs/scim.md#groups. */
export const listScimGroupsStep = defineStep({
  operation: 'scim-list-groups',
  ...ACCESS,
  params: { ...page, ...shown },
  query(tx, { source: { origin } }, { filter, start_index, count, with_members }) {
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
  audit: 'read-only',
})

export const getScimGroupStep = defineStep({
  operation: 'scim-get-group',
  ...ACCESS,
  params: { ...one, ...shown },
  query(tx, { source: { origin } }, { group_id, with_members }): Answered {
    const group = requireScimGroup(tx.sql, group_id)
    const members = membersOf(tx.sql, group_id)
    return { resource: presentScimGroup(tx.sql, group, members, { origin, withMembers: with_members }) }
  },
  audit: 'read-only',
})

/** Creates a group whose members the provider manages. */
export const createScimGroupStep = defineStep({
  operation: 'scim-create-group',
  ...ACCESS,
  growsObject: true,
  params: { ...shown, changes: groupChanges },
  apply: (tx, provider, { changes, ...shown }): Answered =>
    answered(tx.sql, provider, insertScimGroup(tx, provider, changes), shown),
  audit: ({ params, value }) => ({
    action: 'group_created',
    details: { user_group_id: Number(value.resource.id), ...changesOf(params.changes), ...BY_PROVIDER },
  }),
})

/** Changes a group, for PUT and PATCH: neither changes attributes that it does not name. */
export const changeScimGroupStep = defineStep({
  operation: 'scim-change-group',
  ...ACCESS,
  growsObject: true,
  params: { ...one, ...shown, changes: groupChanges },
  apply(tx, provider, { group_id, changes, if_match, ...shown }): Answered {
    const group = requireScimGroup(tx.sql, group_id)
    requireTag(if_match, () => tagOf(tx.sql, group))
    return answered(tx.sql, provider, changeScimGroupAs(tx, provider, group, changes), shown)
  },
  audit: {
    whenChanged: ({ params }) => ({
      action: 'group_changed',
      details: { user_group_id: params.group_id, ...changesOf(params.changes), ...BY_PROVIDER },
    }),
  },
})

/** Deactivates a group, unless a permission or another group names it. */
export const deleteScimGroupStep = defineStep({
  operation: 'scim-delete-group',
  ...ACCESS,
  params: one,
  apply(tx, _, { group_id, if_match }) {
    const group = requireScimGroup(tx.sql, group_id)
    requireTag(if_match, () => tagOf(tx.sql, group))
    if (tx.use(usesOfGroup, group_id).length > 0) {
      throw new ScimError(409, 'The group is in use: a permission, or another group, names it')
    }
    deactivateGroup(tx, group)
    forgetScimGroup(tx.sql, group_id, tx.now)
  },
  audit: ({ params }) => ({
    action: 'group_changed',
    details: { user_group_id: params.group_id, deactivated: true, ...BY_PROVIDER },
  }),
})

/** Returns the requested changes, without names that users wrote. */
function changesOf({ displayName, members }: ScimGroupChanges): AuditDetails {
  return {
    ...(displayName === undefined ? {} : { name: 'changed' }),
    ...(members ? { from_none: members.fromNone, add: members.add, delete: members.remove } : {}),
  }
}

interface Shown {
  /** Whether the answer includes the members. */
  readonly with_members: boolean
}

interface Answered {
  readonly resource: ScimGroup
}

/** Members of all groups on a page. The page ends before the group that would exceed this, but has at least one group. */
const MEMBERS_OF_PAGE = 20_000

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
  { source: { origin } }: Anyone,
  { id, members }: ChangedGroup,
  { with_members }: Shown,
): Answered {
  const shown = { origin, withMembers: with_members }
  return { resource: presentScimGroup(sql, findGroup(sql, id)!, members, shown) }
}
