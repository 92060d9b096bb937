import { defineReader, type Steps } from '../../core/reader.ts'
import type { GroupSettingValue } from '../../rules/group-setting-values.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { supergroupIds } from '../../store/user-groups/membership-rows.ts'
import { activeGroupsAmong, listGroupsNamingGroup } from '../../store/user-groups/user-group-rows.ts'
import { everyChannel } from '../channels/read/present-channel.ts'

/** A use that keeps a group from being deactivated. */
type GroupUse =
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] }
  | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
  | { readonly type: 'user_group'; readonly group_id: number; readonly settings: readonly string[] }
  | { readonly type: 'realm'; readonly settings: readonly string[] }

/** Number of groups whose permissions are read together. */
const GROUPS_AT_A_TIME = 500

/** The uses of a group: in active groups, unarchived channels and the organization (docs/interface/groups.md#change-a-group). */
export const usesOfGroup = defineReader({
  name: 'uses of a group',
  key: String,
  *read(store, groupId: number): Steps<GroupUse[]> {
    const { sql } = store
    const uses: GroupUse[] = []
    const supergroups = activeGroupsAmong(sql, supergroupIds(sql, groupId))
    if (supergroups.length > 0) uses.push({ type: 'subgroup', supergroup_ids: supergroups })
    for (const channel of yield* store.use(everyChannel, undefined)) {
      const settings = channel.isArchived ? [] : settingsNaming(channel.settings, groupId)
      if (settings.length > 0) uses.push({ type: 'channel', channel_id: channel.id, settings })
    }
    for (let above = 0, isLast = false; !isLast; ) {
      yield
      const groups = listGroupsNamingGroup(sql, groupId, { above, limit: GROUPS_AT_A_TIME })
      for (const { id, settings: stored } of groups) {
        const settings = settingsNaming(stored, groupId)
        if (settings.length > 0) uses.push({ type: 'user_group', group_id: id, settings })
        above = id
      }
      isLast = groups.length < GROUPS_AT_A_TIME
    }
    const settings = settingsNaming(realmPermissions(sql), groupId)
    if (settings.length > 0) uses.push({ type: 'realm', settings })
    return uses
  },
})

function settingsNaming(settings: Readonly<Record<string, GroupSettingValue>>, groupId: number): string[] {
  return Object.entries(settings)
    .filter(([, value]) =>
      typeof value === 'number' ? value === groupId : value.direct_subgroups.includes(groupId),
    )
    .map(([name]) => name)
}
