import type { Actor } from './access.ts'
import type { GroupSettingValue } from './group-setting-values.ts'
import type { GroupSetting } from './group-settings.ts'
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
  return isGranted(actor, realmGroupSetting(name), realm[name])
}

export function hasChannelGrant(
  actor: Actor,
  channel: { readonly settings: ChannelPermissions },
  name: ChannelGroupSettingName,
): boolean {
  return isGranted(actor, channelGroupSetting(name), channel.settings[name])
}

export function hasUserGroupGrant(
  actor: Actor,
  group: { readonly settings: UserGroupPermissions },
  name: UserGroupSettingName,
): boolean {
  return isGranted(actor, userGroupSetting(name), group.settings[name])
}

/** Posting apart (`isGrantedPosting`), what is given to a bot counts only if its owner has it too, since the owner acts through the bot. */
function isGranted(actor: Actor, setting: GroupSetting, value: GroupSettingValue): boolean {
  const { botOwner } = actor
  return inGroupSetting(actor, setting, value) && (!botOwner || inGroupSetting(botOwner, setting, value))
}
