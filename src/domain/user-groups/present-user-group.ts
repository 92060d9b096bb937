import type { RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { UserGroupPermissions } from '../../permissions/grants.ts'
import { directSubgroups, systemGroupMembers } from './group-members.ts'
import { directMembers } from './membership-rows.ts'
import { presentGroupSetting } from './present-group-setting.ts'
import type { UserGroup } from './user-group-rows.ts'

/** The user-group object. Source: docs/interface/groups.md#the-group-object; docs/interface/groups.md#change-a-group. */
export interface PresentedUserGroup extends UserGroupPermissions {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly creator_id: number | null
  readonly date_created: number | null
  readonly members: readonly number[]
  readonly direct_subgroup_ids: readonly number[]
  readonly is_system_group: boolean
  readonly deactivated: boolean
}

export function presentUserGroups(view: RealmView, groups: readonly UserGroup[]): PresentedUserGroup[] {
  const bySystemGroup = groups.some(({ isSystem }) => isSystem)
    ? systemGroupMembers(view.sql, view.now)
    : undefined
  return groups.map((group) =>
    group.isSystem
      ? { ...presentWithoutMembers(view, group), members: bySystemGroup?.get(group.id) ?? [] }
      : presentMadeGroup(view.sql, group),
  )
}

/** Presents a group that users have made. */
export function presentMadeGroup(sql: Sql, group: UserGroup): PresentedUserGroup {
  return { ...presentWithoutMembers({ sql }, group), members: directMembers(sql, group.id) }
}

export function presentWithoutMembers(
  { sql }: Pick<RealmView, 'sql'>,
  group: UserGroup,
): Omit<PresentedUserGroup, 'members'> {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    creator_id: group.creatorId,
    date_created: group.createdAt,
    direct_subgroup_ids: directSubgroups(sql, group.id),
    is_system_group: group.isSystem,
    deactivated: group.isDeactivated,
    ...presentPermissions(sql, group),
  }
}

function presentPermissions(sql: Sql, { settings }: UserGroup): UserGroupPermissions {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, presentGroupSetting(sql, value)]),
  ) as UserGroupPermissions
}
