import type { RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { UserGroupPermissions } from '../../rules/grants.ts'
import type { GroupSettingValue } from '../../rules/group-setting-values.ts'
import type { UserGroup } from '../../store/user-groups/user-group-rows.ts'
import { closedAccounts, openAmong } from '../../store/users/account-set-rows.ts'
import { directlyIn, directSubgroups } from './group-members.ts'

/** The user-group object. Source: docs/interface/groups.md#the-group-object; docs/interface/groups.md#change-a-group. */
interface PresentedUserGroup extends UserGroupPermissions {
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

/** Presents a group made by users, whose members do not depend on the time. */
export function presentMadeGroup(sql: Sql, group: UserGroup): PresentedUserGroup {
  return presentUserGroup({ sql, now: 0 }, group)
}

export function presentUserGroup(
  { sql, now }: Pick<RealmView, 'sql' | 'now'>,
  group: UserGroup,
): PresentedUserGroup {
  const members = directlyIn(sql, group.id, now).andNot(closedAccounts(sql)).toArray()
  return { ...presentWithoutMembers({ sql }, group), members }
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
    ...presentGroupSettings(sql, group.settings),
  }
}

/** Returns the values of permissions in the form for clients. */
export function presentGroupSettings<Settings extends object>(sql: Sql, settings: Settings): Settings {
  const presented = Object.entries<GroupSettingValue>(settings as Record<string, GroupSettingValue>).map(
    ([name, value]) => [name, presentGroupSetting(sql, value)],
  )
  return Object.fromEntries(presented) as Settings
}

/** Returns a permission's value in the form for clients: without deactivated users. */
export function presentGroupSetting(sql: Sql, value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value
  return {
    direct_members: openAmong(sql, value.direct_members),
    direct_subgroups: value.direct_subgroups,
  }
}
