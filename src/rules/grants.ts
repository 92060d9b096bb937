import type { Actor } from './access.ts'
import type { GroupSettingValue } from './group-setting-values.ts'
import {
  type ChannelGroupSettingName,
  channelGroupSetting,
  type RealmGroupSettingName,
  realmGroupSetting,
  type UserGroupSettingName,
  userGroupSetting,
} from './group-settings.ts'
import { inGroupSetting } from './in-group.ts'

/** Whether an actor has a permission of the organization, a channel or a user group. */
export type RealmPermissions = Readonly<Record<RealmGroupSettingName, GroupSettingValue>>
export type ChannelPermissions = Readonly<Record<ChannelGroupSettingName, GroupSettingValue>>
export type UserGroupPermissions = Readonly<Record<UserGroupSettingName, GroupSettingValue>>

export function hasRealmGrant(actor: Actor, realm: RealmPermissions, name: RealmGroupSettingName): boolean {
  return inGroupSetting(actor, realmGroupSetting(name), realm[name])
}

export function hasChannelGrant(
  actor: Actor,
  channel: { readonly settings: ChannelPermissions },
  name: ChannelGroupSettingName,
): boolean {
  return inGroupSetting(actor, channelGroupSetting(name), channel.settings[name])
}

export function hasUserGroupGrant(
  actor: Actor,
  group: { readonly settings: UserGroupPermissions },
  name: UserGroupSettingName,
): boolean {
  return inGroupSetting(actor, userGroupSetting(name), group.settings[name])
}
