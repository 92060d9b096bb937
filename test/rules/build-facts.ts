import { DEFAULT_CHANNEL_PROPERTIES } from '../../src/core/channel-properties.ts'
import type { ChannelFacts } from '../../src/rules/channel-rules.ts'
import type { ChannelPermissions, RealmPermissions, UserGroupPermissions } from '../../src/rules/grants.ts'
import { defaultGroupSettingValue, type GroupSettingValue } from '../../src/rules/group-setting-values.ts'
import { GROUP_SETTINGS, type GroupSettingLevel } from '../../src/rules/group-settings.ts'
import { systemGroupId } from '../../src/rules/system-groups.ts'
import type { UserGroupFacts } from '../../src/rules/user-group-rules.ts'

export const nobody = systemGroupId('role:nobody')
export const members = systemGroupId('role:members')
export const everyone = systemGroupId('role:everyone')

/** Returns a group of exactly these users. */
export function only(...direct_members: number[]): GroupSettingValue {
  return { direct_members, direct_subgroups: [] }
}

function defaults(level: GroupSettingLevel, creatorId: number | null): Record<string, GroupSettingValue> {
  return Object.fromEntries(
    GROUP_SETTINGS[level].map((setting) => [setting.name, defaultGroupSettingValue(setting, creatorId)]),
  )
}

export function realmPermissions(change: Partial<RealmPermissions> = {}): RealmPermissions {
  return { ...defaults('realm', null), ...change } as RealmPermissions
}

/** Returns a public channel without a known creator. */
export function buildChannel(
  change: Partial<Omit<ChannelFacts, 'settings'>> & { settings?: Partial<ChannelPermissions> } = {},
): ChannelFacts {
  return {
    id: 1,
    name: 'design',
    isPrivate: false,
    isWebPublic: false,
    historyPublicToSubscribers: true,
    isArchived: false,
    properties: DEFAULT_CHANNEL_PROPERTIES,
    ...change,
    settings: { ...(defaults('channel', null) as ChannelPermissions), ...change.settings },
  }
}

/** Returns a group without a known creator. */
export function buildGroup(
  change: Partial<Omit<UserGroupFacts, 'settings'>> & { settings?: Partial<UserGroupPermissions> } = {},
): UserGroupFacts {
  return {
    id: 20,
    name: 'engineers',
    isSystem: false,
    isDeactivated: false,
    ...change,
    settings: { ...(defaults('group', null) as UserGroupPermissions), ...change.settings },
  }
}
