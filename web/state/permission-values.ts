import type { RealmGroupSettingName } from '../../src/rules/group-settings.ts'
import type { Channel, ChatState, UserGroup } from './chat-state.ts'
import type { GroupSettingValue } from './wire.ts'

/** The parts of a permission: the people and groups who have it. */
export interface PermissionParts {
  readonly direct_members: readonly number[]
  readonly direct_subgroups: readonly number[]
}

/** System groups, each of which contains those after it. */
const WIDEST_FIRST = [
  'role:everyone',
  'role:members',
  'role:fullmembers',
  'role:moderators',
  'role:administrators',
  'role:owners',
]

function systemGroupNamed({ groups }: ChatState, name: string): number | undefined {
  for (const group of groups.values()) if (group.is_system_group && group.name === name) return group.id
  return undefined
}

/** Returns the rank of a system group, the widest first; -1 for any other group. */
export function widthOf({ groups }: ChatState, groupId: number): number {
  const group = groups.get(groupId)
  return group?.is_system_group ? WIDEST_FIRST.indexOf(group.name) : -1
}

/** Returns the parts of a value: "nobody" is no group among others. */
function partsOf(state: ChatState, value: GroupSettingValue): PermissionParts {
  if (typeof value !== 'number') return value
  const isNobody = state.groups.get(value)?.name === 'role:nobody'
  return { direct_members: [], direct_subgroups: isNobody ? [] : [value] }
}

/** Returns a value with these parts: a single group is written as its number, and so is nobody. */
export function permissionOf(
  state: ChatState,
  { direct_members, direct_subgroups }: PermissionParts,
): GroupSettingValue {
  if (direct_members.length === 0 && direct_subgroups.length <= 1) {
    const group = direct_subgroups[0] ?? systemGroupNamed(state, 'role:nobody')
    if (group !== undefined) return group
  }
  return { direct_members: [...direct_members], direct_subgroups: [...direct_subgroups] }
}

/** Returns the union of the values, with only the widest system group, since it contains the others. */
export function unionOf(state: ChatState, values: readonly GroupSettingValue[]): PermissionParts {
  const parts = values.map((value) => partsOf(state, value))
  const groups = [...new Set(parts.flatMap(({ direct_subgroups }) => direct_subgroups))]
  const widths = groups.map((id) => widthOf(state, id)).filter((width) => width >= 0)
  const widest = Math.min(...widths)
  return {
    direct_members: [...new Set(parts.flatMap(({ direct_members }) => direct_members))],
    direct_subgroups: groups.filter((id) => {
      const width = widthOf(state, id)
      return width < 0 || width === widest
    }),
  }
}

/** The organization's permission that also counts in each channel, in addition to the channel's own. */
const IN_EVERY_CHANNEL: Readonly<Record<string, RealmGroupSettingName>> = {
  can_add_subscribers_group: 'can_add_subscribers_group',
  can_resolve_topics_group: 'can_resolve_topics_group',
  can_move_messages_within_channel_group: 'can_move_messages_between_topics_group',
  can_move_messages_out_of_channel_group: 'can_move_messages_between_channels_group',
  can_delete_own_message_group: 'can_delete_own_message_group',
  can_delete_any_message_group: 'can_delete_any_message_group',
}

/** The permissions that administrators of a channel have without being named. */
const OF_CHANNEL_ADMINISTRATORS: ReadonlySet<string> = new Set([
  'can_administer_channel_group',
  'can_add_subscribers_group',
  'can_remove_subscribers_group',
  'can_move_messages_within_channel_group',
  'can_move_messages_out_of_channel_group',
])

/** Returns who has one of a channel's permissions whatever its value is. */
export function alwaysInChannel(state: ChatState, channel: Channel, name: string): PermissionParts {
  const values: GroupSettingValue[] = []
  const administrators = systemGroupNamed(state, 'role:administrators')
  const members = systemGroupNamed(state, 'role:members')
  if (OF_CHANNEL_ADMINISTRATORS.has(name)) {
    if (administrators !== undefined) values.push(administrators)
    if (name !== 'can_administer_channel_group') values.push(channel.can_administer_channel_group)
  }
  if (name === 'can_subscribe_group') {
    if (!channel.invite_only && members !== undefined) values.push(members)
    values.push(channel.can_add_subscribers_group)
  }
  const everywhere = IN_EVERY_CHANNEL[name]
  const value = everywhere && state.organization[everywhere]
  if (value) values.push(value)
  return unionOf(state, values)
}

/** The permissions that follow from managing a group, or from another permission. */
const ALSO_IN_GROUP: Readonly<Record<string, readonly (keyof UserGroup & `can_${string}`)[]>> = {
  can_manage_group: [],
  can_add_members_group: ['can_manage_group'],
  can_remove_members_group: ['can_manage_group'],
  can_join_group: ['can_manage_group', 'can_add_members_group'],
  can_leave_group: ['can_manage_group', 'can_remove_members_group'],
}

/** Returns who has one of a group's permissions whatever its value is. */
export function alwaysInGroup(state: ChatState, group: UserGroup, name: string): PermissionParts {
  const also = ALSO_IN_GROUP[name]
  if (!also) return unionOf(state, [])
  const managers = state.organization.can_manage_all_groups
  return unionOf(state, [
    ...(managers === undefined ? [] : [managers]),
    ...also.map((permission) => group[permission]),
  ])
}
