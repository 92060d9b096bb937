import type { RealmGroupSettingName } from '../../src/rules/group-settings.ts'
import { systemGroupId } from '../../src/rules/system-groups.ts'
import type { Channel, ChatState, UserGroup } from './chat-state.ts'
import type { GroupSettingValue } from './wire.ts'

/** The parts of a permission: the people and groups who have it. */
export interface PermissionParts {
  readonly direct_members: readonly number[]
  readonly direct_subgroups: readonly number[]
}

/** Ids of the system groups, each of which contains those after it. */
export const WIDEST_FIRST = (
  [
    'role:everyone',
    'role:members',
    'role:fullmembers',
    'role:moderators',
    'role:administrators',
    'role:owners',
  ] as const
).map(systemGroupId)

const ADMINISTRATORS = systemGroupId('role:administrators')
const MEMBERS = systemGroupId('role:members')

/** Returns the rank of a system group, the widest first; -1 for "nobody" and for any other group. */
export function widthOf(groupId: number): number {
  return WIDEST_FIRST.indexOf(groupId)
}

/** Returns the parts of a value: "nobody" is no group among others. */
function partsOf(value: GroupSettingValue): PermissionParts {
  if (typeof value !== 'number') return value
  const isNobody = value === systemGroupId('role:nobody')
  return { direct_members: [], direct_subgroups: isNobody ? [] : [value] }
}

/** Returns the union of the values, with only the widest system group, since it contains the others. */
export function unionOf(values: readonly GroupSettingValue[]): PermissionParts {
  const parts = values.map((value) => partsOf(value))
  const groups = [...new Set(parts.flatMap(({ direct_subgroups }) => direct_subgroups))]
  const widths = groups.map((id) => widthOf(id)).filter((width) => width >= 0)
  const widest = Math.min(...widths)
  return {
    direct_members: [...new Set(parts.flatMap(({ direct_members }) => direct_members))],
    direct_subgroups: groups.filter((id) => {
      const width = widthOf(id)
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
  if (OF_CHANNEL_ADMINISTRATORS.has(name)) {
    values.push(ADMINISTRATORS)
    if (name !== 'can_administer_channel_group') values.push(channel.can_administer_channel_group)
  }
  if (name === 'can_subscribe_group') {
    if (!channel.invite_only) values.push(MEMBERS)
    values.push(channel.can_add_subscribers_group)
  }
  const everywhere = IN_EVERY_CHANNEL[name]
  const value = everywhere && state.organization[everywhere]
  if (value) values.push(value)
  return unionOf(values)
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
  if (!also) return unionOf([])
  return unionOf([state.organization.can_manage_all_groups, ...also.map((permission) => group[permission])])
}
