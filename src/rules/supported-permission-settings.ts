import { type DeclaresLevel, getsRepresentation } from '../core/representations-by-level.ts'
import { needsSystemGroup } from './group-setting-values.ts'
import { GROUP_SETTINGS, type GroupSetting, type GroupSettingLevel } from './group-settings.ts'
import type { SystemGroupName } from './system-groups.ts'

/** The values that a permission accepts, in the API's words. */
interface SupportedPermissionSetting {
  require_system_group: boolean
  allow_internet_group: boolean
  allow_nobody_group: boolean
  allow_everyone_group: boolean
  /** A system group, or one of the names for the creator. */
  default_group_name: string
  /** The setting's value on a system group; only for settings of user groups. */
  default_for_system_groups: SystemGroupName | null
  allowed_system_groups: SystemGroupName[]
}

export type SupportedPermissionSettings = Record<
  'realm' | 'stream' | 'group',
  Record<string, SupportedPermissionSetting>
>

/**
 * Returns register's `server_supported_permission_settings`: the table of settings as clients read it
 * (docs/interface/register.md#settings-of-the-organization-in-it).
 */
export function serverSupportedPermissionSettings(client: DeclaresLevel = {}): SupportedPermissionSettings {
  const present = (level: GroupSettingLevel) =>
    Object.fromEntries(
      GROUP_SETTINGS[level].map((setting) => [setting.name, presentSetting(setting, client)]),
    )
  return { realm: present('realm'), stream: present('channel'), group: present('group') }
}

function presentSetting(setting: GroupSetting, client: DeclaresLevel): SupportedPermissionSetting {
  return {
    require_system_group: needsSystemGroup(setting),
    allow_internet_group: false,
    allow_nobody_group: setting.allowsNobody,
    allow_everyone_group: setting.allowsEveryone,
    default_group_name: presentDefault(setting, client),
    default_for_system_groups: setting.level === 'group' ? 'role:nobody' : null,
    allowed_system_groups: [...setting.allowedSystemGroups],
  }
}

/** Returns the default's name. The API has special names for the creator. */
function presentDefault({ level, defaultGroup }: GroupSetting, client: DeclaresLevel): string {
  if (defaultGroup !== 'creator') return defaultGroup
  if (level === 'group') return 'group_creator'
  return getsRepresentation(client, 'permission default named channel_creator')
    ? 'channel_creator'
    : 'stream_creator_or_nobody'
}
