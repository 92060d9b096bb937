import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { normaliseGroupSetting } from '../../rules/group-setting-values.ts'
import { REALM_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import {
  listDefaultGroups,
  saveDefaultGroup,
} from '../../store/default-channel-groups/default-channel-group-rows.ts'
import { CHANNEL_PROPERTY_NAMES, NO_CHANNEL } from '../../store/realm/realm-properties.ts'
import { realmPermissions, realmProperty, writeRealmSetting } from '../../store/realm/realm-setting-rows.ts'

/** Removes people and channels that are deleted from the settings of the organization, which an import may have taken over. */

export function withdrawPermissions({ sql }: RealmTransaction, userIds: readonly number[]): void {
  const gone = new Set(userIds)
  const permissions = realmPermissions(sql)
  for (const { name } of REALM_GROUP_SETTINGS) {
    const value = permissions[name]
    if (typeof value === 'number' || !value.direct_members.some((id) => gone.has(id))) continue
    const direct_members = value.direct_members.filter((id) => !gone.has(id))
    writeRealmSetting(sql, name, normaliseGroupSetting({ ...value, direct_members }))
  }
}

export function withdrawChannel({ sql }: RealmTransaction, channelId: number): void {
  for (const group of listDefaultGroups(sql)) {
    if (!group.channelIds.includes(channelId)) continue
    saveDefaultGroup(sql, { ...group, channelIds: group.channelIds.filter((id) => id !== channelId) })
  }
  for (const name of CHANNEL_PROPERTY_NAMES) {
    if (realmProperty(sql, name) === channelId) writeRealmSetting(sql, name, NO_CHANNEL)
  }
}
