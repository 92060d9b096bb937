import type { SystemGroupName } from './system-groups.ts'

/**
 * The table of all settings whose value is a group of users: of the organization, channels and user groups. Defaults, validation, the rule
 * for guests and register's `server_supported_permission_settings` follow from it. Values are checked in the order of the rows. Source:
 * docs/interface/permission-settings.md#permission-settings; docs/interface/permission-settings.md#of-a-user-group;
 * docs/decisions/interface.md#records.
 */
export type GroupSettingLevel = 'realm' | 'channel' | 'group'

/** A setting's default. `creator`: only the creator of the channel or group; `role:nobody` if none is recorded. */
export type DefaultGroup = SystemGroupName | 'creator'

export interface GroupSetting {
  readonly level: GroupSettingLevel
  readonly name: string
  readonly defaultGroup: DefaultGroup
  readonly allowsEveryone: boolean
  readonly allowsNobody: boolean
  /** If not empty, the value is one of these groups, never a custom group or a list. */
  readonly allowedSystemGroups: readonly SystemGroupName[]
  /** Groups refused as the whole value, though allowed along with other entries. */
  readonly refusedSystemGroups: readonly SystemGroupName[]
}

interface Limits {
  everyone?: boolean
  nobody?: boolean
  only?: readonly SystemGroupName[]
  never?: readonly SystemGroupName[]
}

function row<const Level extends GroupSettingLevel, const Name extends string>(
  level: Level,
  name: Name,
  defaultGroup: DefaultGroup,
  { everyone = false, nobody = true, only = [], never = [] }: Limits = {},
) {
  return {
    level,
    name,
    defaultGroup,
    allowsEveryone: everyone,
    allowsNobody: nobody,
    allowedSystemGroups: only,
    refusedSystemGroups: never,
  }
}

export const REALM_GROUP_SETTINGS = [
  row('realm', 'create_multiuse_invite_group', 'role:administrators'),
  row('realm', 'can_access_all_users_group', 'role:everyone', {
    everyone: true,
    nobody: false,
    only: ['role:everyone', 'role:members'],
  }),
  row('realm', 'can_add_custom_emoji_group', 'role:members'),
  row('realm', 'can_add_subscribers_group', 'role:members'),
  row('realm', 'can_create_bots_group', 'role:members'),
  row('realm', 'can_create_groups', 'role:members'),
  row('realm', 'can_create_private_channel_group', 'role:members'),
  row('realm', 'can_create_public_channel_group', 'role:members'),
  row('realm', 'can_create_web_public_channel_group', 'role:owners', {
    only: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  }),
  row('realm', 'can_create_write_only_bots_group', 'role:members'),
  row('realm', 'can_delete_any_message_group', 'role:administrators'),
  row('realm', 'can_delete_own_message_group', 'role:everyone', { everyone: true }),
  row('realm', 'can_invite_users_group', 'role:members'),
  row('realm', 'can_manage_all_groups', 'role:owners', { nobody: false }),
  row('realm', 'can_manage_billing_group', 'role:administrators', { nobody: false }),
  row('realm', 'can_mention_many_users_group', 'role:administrators', { everyone: true }),
  row('realm', 'can_move_messages_between_channels_group', 'role:members'),
  row('realm', 'can_move_messages_between_topics_group', 'role:everyone', { everyone: true }),
  row('realm', 'can_resolve_topics_group', 'role:everyone', { everyone: true }),
  row('realm', 'can_set_delete_message_policy_group', 'role:moderators'),
  row('realm', 'can_set_topics_policy_group', 'role:members', { everyone: true }),
  row('realm', 'can_summarize_topics_group', 'role:everyone', { everyone: true }),
  row('realm', 'direct_message_initiator_group', 'role:everyone', { everyone: true }),
  row('realm', 'direct_message_permission_group', 'role:everyone', { everyone: true }),
  row('realm', 'workplace_users_group', 'role:everyone', { everyone: true }),
] as const

export const CHANNEL_GROUP_SETTINGS = [
  row('channel', 'can_add_subscribers_group', 'role:nobody'),
  row('channel', 'can_administer_channel_group', 'creator'),
  row('channel', 'can_create_topic_group', 'role:everyone', { everyone: true }),
  row('channel', 'can_delete_any_message_group', 'role:nobody', { everyone: true }),
  row('channel', 'can_delete_own_message_group', 'role:nobody', { everyone: true }),
  row('channel', 'can_move_messages_out_of_channel_group', 'role:nobody', { everyone: true }),
  row('channel', 'can_move_messages_within_channel_group', 'role:nobody', { everyone: true }),
  row('channel', 'can_remove_subscribers_group', 'role:administrators', { everyone: true }),
  row('channel', 'can_resolve_topics_group', 'role:nobody', { everyone: true }),
  row('channel', 'can_send_message_group', 'role:everyone', { everyone: true }),
  row('channel', 'can_subscribe_group', 'role:nobody'),
] as const

export const USER_GROUP_SETTINGS = [
  row('group', 'can_add_members_group', 'creator'),
  row('group', 'can_join_group', 'role:nobody'),
  row('group', 'can_leave_group', 'role:everyone', { everyone: true }),
  row('group', 'can_manage_group', 'creator'),
  row('group', 'can_mention_group', 'role:everyone', { everyone: true, never: ['role:owners'] }),
  row('group', 'can_remove_members_group', 'role:nobody'),
] as const

export type RealmGroupSettingName = (typeof REALM_GROUP_SETTINGS)[number]['name']
export type ChannelGroupSettingName = (typeof CHANNEL_GROUP_SETTINGS)[number]['name']
export type UserGroupSettingName = (typeof USER_GROUP_SETTINGS)[number]['name']

export const GROUP_SETTINGS: Readonly<Record<GroupSettingLevel, readonly GroupSetting[]>> = {
  realm: REALM_GROUP_SETTINGS,
  channel: CHANNEL_GROUP_SETTINGS,
  group: USER_GROUP_SETTINGS,
}

const settingByKey = new Map<string, GroupSetting>(
  Object.values(GROUP_SETTINGS)
    .flat()
    .map((setting) => [`${setting.level} ${setting.name}`, setting]),
)

export function realmGroupSetting(name: RealmGroupSettingName): GroupSetting {
  return settingByKey.get(`realm ${name}`)!
}

export function channelGroupSetting(name: ChannelGroupSettingName): GroupSetting {
  return settingByKey.get(`channel ${name}`)!
}

export function userGroupSetting(name: UserGroupSettingName): GroupSetting {
  return settingByKey.get(`group ${name}`)!
}

/** Returns the value, such as a schema, for each of these permissions. */
export function forEachPermission<const Name extends string, Value>(
  settings: readonly { readonly name: Name }[],
  value: Value,
): Record<Name, Value> {
  return Object.fromEntries(settings.map(({ name }) => [name, value])) as Record<Name, Value>
}
