import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { type Channel, listPrivateChannelsNaming } from '../channels/channel-rows.ts'
import { VISIBILITY_SETTINGS } from '../channels/visibility/channel-audiences.ts'
import { groupsContaining } from '../user-groups/group-members.ts'
import { announceChannelVisibility, usersWhoSee, viewersNow } from './users-who-see-a-channel.ts'

/**
 * Makes a change of group members, then notifies the users concerned of the private channels that they now
 * see, or no longer see, by their groups. Returns what the change returns. Source:
 * docs/interface/access.md#channels; docs/interface/events.md#events-about-channels-and-groups.
 */
export function withVisibilityEventsOfMembership<R>(
  tx: RealmTransaction,
  groupId: number,
  userIds: readonly number[],
  change: () => R,
): R {
  const channels = channelsVisibleToGroups(tx, groupsContaining(tx.sql, groupId))
  if (channels.length === 0) return change()
  const viewers = viewersNow(tx, userIds)
  const before = channels.map((channel) => ({ channel, seeing: usersWhoSee(tx, channel, viewers) }))
  const result = change()
  // Read again, since the users are in other groups now.
  const after = viewersNow(tx, userIds)
  for (const { channel, seeing } of before) announceChannelVisibility(tx, channel, seeing, after)
  return result
}

function channelsVisibleToGroups({ sql }: RealmReads, groupIds: ReadonlySet<number>): Channel[] {
  return listPrivateChannelsNaming(sql, [...groupIds]).filter(({ settings }) =>
    VISIBILITY_SETTINGS.some((name) => {
      const value = settings[name]
      return typeof value === 'number'
        ? groupIds.has(value)
        : value.direct_subgroups.some((id) => groupIds.has(id))
    }),
  )
}
