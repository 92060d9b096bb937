import type { Walks } from '../../core/command.ts'
import { followed, upToDate } from '../../core/made-in-turns.ts'
import type { MadeInTurns, RealmReads, RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { GROUPS_OF_ONE_TURN } from '../../core/turn-budgets.ts'
import type { GroupSettingValue } from '../../permissions/group-setting-values.ts'
import { type AllChannels, allChannels, loadChannels } from '../channels/read/all-channels.ts'
import { realmPermissions } from '../realm/realm-setting-rows.ts'
import { supergroupIds } from './membership-rows.ts'
import { activeGroupsAmong, listGroupsNamingGroup } from './user-group-rows.ts'

/** A use that keeps a group from being deactivated. */
export type GroupUse =
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] }
  | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
  | { readonly type: 'user_group'; readonly group_id: number; readonly settings: readonly string[] }
  | { readonly type: 'realm'; readonly settings: readonly string[] }

/** What is read in several turns: there may be thousands of channels, and of groups that name the group. */
export interface UsesInTurns {
  readonly channels: AllChannels
  readonly groups: MadeInTurns<readonly GroupUse[]>
}

/** Reads that, for `load`. */
export async function loadGroupUses(walks: Walks, view: RealmView, groupId: number): Promise<UsesInTurns> {
  const channels = await loadChannels(walks, view)
  const groups = await followed<readonly GroupUse[]>(walks, view.remembered, {
    make: () => usesInGroups(walks, view.sql, groupId),
    // No change of channels changes them, and after others they are read again.
    mend: (uses) => uses,
  })
  return { channels, groups }
}

async function usesInGroups(walks: Walks, sql: Sql, groupId: number): Promise<GroupUse[]> {
  const uses: GroupUse[] = []
  for (let above = 0; ; await walks.turn()) {
    const groups = listGroupsNamingGroup(sql, groupId, { above, limit: GROUPS_OF_ONE_TURN })
    for (const group of groups) {
      const settings = settingsNaming(group.settings, groupId)
      if (settings.length > 0) uses.push({ type: 'user_group', group_id: group.id, settings })
    }
    if (groups.length < GROUPS_OF_ONE_TURN) return uses
    above = groups.at(-1)!.id
  }
}

/**
 * Returns the uses of a group: in active groups, unarchived channels and the organization
 * (docs/interface/groups.md#change-a-group).
 * @throws StaleError when what was read is out of date
 */
export function groupUses(tx: RealmReads, groupId: number, { channels, groups }: UsesInTurns): GroupUse[] {
  const { sql } = tx
  const uses: GroupUse[] = []
  const supergroups = activeGroupsAmong(sql, supergroupIds(sql, groupId))
  if (supergroups.length > 0) uses.push({ type: 'subgroup', supergroup_ids: supergroups })
  for (const channel of allChannels(tx, { channels })) {
    const settings = channel.isArchived ? [] : settingsNaming(channel.settings, groupId)
    if (settings.length > 0) uses.push({ type: 'channel', channel_id: channel.id, settings })
  }
  for (const use of upToDate(tx.remembered, groups)) uses.push(use)
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
