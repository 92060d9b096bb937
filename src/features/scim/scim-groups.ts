import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { integer } from '../../api/parameter-types.ts'
import type { RequestSource } from '../../core/call.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { ScimGroupChanges } from '../../model/scim/read-scim-group.ts'
import { noResource, requireTag, ScimError, type ScimGroup } from '../../model/scim/scim-answer.ts'
import { deactivateGroup } from '../../model/user-groups/change-group.ts'
import { usesOfGroup } from '../../model/user-groups/group-uses.ts'
import type { AuditDetails } from '../../store/audit-log/audit-entry-rows.ts'
import { forgetScimGroup, scimPeople } from '../../store/scim/scim-rows.ts'
import { findGroup, type UserGroup } from '../../store/user-groups/user-group-rows.ts'
import { type ChangedGroup, changeScimGroupAs, enterScimGroup } from './change-scim-group.ts'
import { findScimGroup, idsOfGroups, membersOf, presentScimGroup } from './find-scim-groups.ts'
import { groupChanges, ifMatch, page, type ScimPage } from './scim-users.ts'

/** What an identity provider does with groups (docs/scim.md#groups). */

const ACCESS = { access: 'provisioning', rateLimit: 'provisioning' } as const

const BY_PROVIDER = { scim: true }

const one = { group_id: integer, if_match: ifMatch }

const shown = { with_members: v.boolean() }

export const listScimGroupsStep = defineStep({
  operation: 'scim-list-groups',
  ...ACCESS,
  params: { ...page, ...shown },
  command: { reads: true, apply: listScimGroups },
  audit: 'read-only',
})

export const getScimGroupStep = defineStep({
  operation: 'scim-get-group',
  ...ACCESS,
  params: { ...one, ...shown },
  command: { reads: true, apply: getScimGroup },
  audit: 'read-only',
})

export const createScimGroupStep = defineStep({
  operation: 'scim-create-group',
  ...ACCESS,
  growsObject: true,
  params: { ...shown, changes: groupChanges },
  command: { apply: createScimGroup },
  audit: ({ params, value }) => ({
    action: 'group_created',
    details: { user_group_id: Number(value.resource.id), ...changesOf(params.changes), ...BY_PROVIDER },
  }),
})

export const changeScimGroupStep = defineStep({
  operation: 'scim-change-group',
  ...ACCESS,
  growsObject: true,
  params: { ...one, ...shown, changes: groupChanges },
  command: { apply: changeScimGroup },
  audit: {
    whenChanged: ({ params }) => ({
      action: 'group_changed',
      details: { user_group_id: params.group_id, ...changesOf(params.changes), ...BY_PROVIDER },
    }),
  },
})

export const deleteScimGroupStep = defineStep({
  operation: 'scim-delete-group',
  ...ACCESS,
  params: one,
  command: { apply: deleteScimGroup },
  audit: ({ params }) => ({
    action: 'group_changed',
    details: { user_group_id: params.group_id, deactivated: true, ...BY_PROVIDER },
  }),
})

/** Returns what was asked for, without names that users wrote. */
function changesOf({ displayName, members }: ScimGroupChanges): AuditDetails {
  return {
    ...(displayName === undefined ? {} : { name: 'changed' }),
    ...(members ? { from_none: members.fromNone, add: members.add, delete: members.remove } : {}),
  }
}

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
function listScimGroups(
  tx: RealmReads,
  { source: { origin } }: Provider,
  { filter, start_index, count, with_members }: ScimPage & Shown,
): { readonly total: number; readonly resources: readonly ScimGroup[] } {
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
}

function getScimGroup(
  tx: RealmReads,
  { source: { origin } }: Provider,
  { group_id, with_members }: GroupId & Shown,
): Answered {
  const group = requireScimGroup(tx.sql, group_id)
  const members = membersOf(tx.sql, group_id)
  return { resource: presentScimGroup(tx.sql, group, members, { origin, withMembers: with_members }) }
}

/** Makes a group whose members the provider manages. */
function createScimGroup(
  tx: RealmTransaction,
  provider: Provider,
  { changes, ...shown }: Shown & { readonly changes: ScimGroupChanges },
): Answered {
  return answered(tx.sql, provider, enterScimGroup(tx, provider, changes), shown)
}

/** Changes a group, for PUT and PATCH: both say what is to be, and leave alone what they do not name. */
function changeScimGroup(
  tx: RealmTransaction,
  provider: Provider,
  { group_id, changes, if_match, ...shown }: GroupId & Shown & { readonly changes: ScimGroupChanges },
): Answered {
  const group = requireScimGroup(tx.sql, group_id)
  requireTag(if_match, () => tagOf(tx.sql, group))
  return answered(tx.sql, provider, changeScimGroupAs(tx, provider, group, changes), shown)
}

/** Deactivates a group that no permission names, and nothing else that would lose its meaning. */
function deleteScimGroup(tx: RealmTransaction, _: Provider, { group_id, if_match }: GroupId): object {
  const group = requireScimGroup(tx.sql, group_id)
  requireTag(if_match, () => tagOf(tx.sql, group))
  if (tx.use(usesOfGroup, group_id).length > 0) {
    throw new ScimError(409, 'The group is in use: a permission, or another group, names it')
  }
  deactivateGroup(tx, group)
  forgetScimGroup(tx.sql, group_id, tx.now)
  return {}
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
