import type { RealmReads } from '../../core/realm-transaction.ts'
import type { GroupSettingValue } from '../../permissions/group-setting-values.ts'
import { type AllChannels, allChannels } from '../channels/read/all-channels.ts'
import { realmPermissions } from '../realm/realm-setting-rows.ts'
import { supergroupIds } from './membership-rows.ts'
import { activeGroupsAmong, listGroupsNamingGroup } from './user-group-rows.ts'

/** A use that keeps a group from being deactivated. */
export type GroupUse =
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] }
  | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
  | { readonly type: 'user_group'; readonly group_id: number; readonly settings: readonly string[] }
  | { readonly type: 'realm'; readonly settings: readonly string[] }

/**
 * Returns the uses of a group: in active groups, unarchived channels and the organization
 * (docs/interface/groups.md#change-a-group). There may be thousands of each, so `channels` were listed in several turns.
 */
export function groupUses(tx: RealmReads, groupId: number, channels: AllChannels): GroupUse[] {
  const { sql } = tx
  const uses: GroupUse[] = []
  const supergroups = activeGroupsAmong(sql, supergroupIds(sql, groupId))
  if (supergroups.length > 0) uses.push({ type: 'subgroup', supergroup_ids: supergroups })
  for (const channel of allChannels(tx, { channels })) {
    const settings = channel.isArchived ? [] : settingsNaming(channel.settings, groupId)
    if (settings.length > 0) uses.push({ type: 'channel', channel_id: channel.id, settings })
  }
  for (const group of listGroupsNamingGroup(sql, groupId)) {
    const settings = settingsNaming(group.settings, groupId)
    if (settings.length > 0) uses.push({ type: 'user_group', group_id: group.id, settings })
  }
  const settings = settingsNaming(realmPermissions(sql), groupId)
  if (settings.length > 0) uses.push({ type: 'realm', settings })
  return uses
}

/** Returns names of the settings whose value is the group, or has it among its subgroups. */
function settingsNaming(settings: Readonly<Record<string, GroupSettingValue>>, groupId: number): string[] {
  return Object.entries(settings)
    .filter(([, value]) =>
      typeof value === 'number' ? value === groupId : value.direct_subgroups.includes(groupId),
    )
    .map(([name]) => name)
}
