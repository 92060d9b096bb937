import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { SIGHT_SETTINGS } from '../channels/channel-audiences.ts'
import { type Channel, listChannels } from '../channels/channel-rows.ts'
import { announceSightOfChannel, usersWhoSee } from '../channels/sight-of-channel.ts'
import { groupsContaining } from './group-members.ts'

/**
 * Private channels may be seen by groups: a change of who is in one brings them into sight, or out of it.
 * To be called before the change, for the users whom it concerns; the answer, called after it, tells them.
 * Source: docs/interface/access.md#channels; docs/interface/events.md#events-about-channels-and-groups.
 */
export function watchSightByGroup(
  tx: RealmTransaction,
  groupId: number,
  userIds: readonly number[],
): () => void {
  const channels = channelsSeenBy(tx, groupsContaining(tx.sql, groupId))
  if (channels.length === 0) return () => {}
  const among = new Set(userIds)
  const before = channels.map((channel) => ({ channel, seeing: usersWhoSee(tx, channel, among) }))
  return () => {
    for (const { channel, seeing } of before) announceSightOfChannel(tx, channel, seeing, among)
  }
}

function channelsSeenBy({ sql }: RealmTransaction, groupIds: ReadonlySet<number>): Channel[] {
  return listChannels(sql).filter(
    ({ isPrivate, settings }) =>
      isPrivate &&
      SIGHT_SETTINGS.some((name) => {
        const value = settings[name]
        return typeof value === 'number'
          ? groupIds.has(value)
          : value.direct_subgroups.some((id) => groupIds.has(id))
      }),
  )
}
