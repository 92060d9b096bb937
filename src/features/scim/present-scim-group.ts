import type { IdSet } from '../../core/id-set.ts'
import type { Sql } from '../../core/sql.ts'
import { entityTagOf } from '../../model/scim/entity-tag.ts'
import { GROUP_SCHEMA, type ScimGroup } from '../../model/scim/scim-schemas.ts'
import { SCIM_PATH } from '../../model/scim/scim-token.ts'
import { scimGroupFacts } from '../../store/scim/scim-group-rows.ts'
import type { UserGroup } from '../../store/user-groups/user-group-rows.ts'
import { scimTime } from './present-scim-user.ts'

/** Returns a group with these members as identity providers get it, with or without them: its tag is the same. */
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

/** Returns what a filter may ask for of a group but its members: without the tag, which takes as long as all else. */
export function filteredPartOfGroup(sql: Sql, group: UserGroup): object {
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
