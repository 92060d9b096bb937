import type { Channel } from '../../store/channels/channel-rows.ts'

/** Users who join or leave a channel together. */
export interface ChannelMembers {
  readonly channel: Channel
  /** Ascending ids. */
  readonly userIds: readonly number[]
}

/** Groups users who join or leave the same channels, so that they can be notified together. */
export function groupByChannels<Change extends ChannelMembers>(changes: readonly Change[]) {
  const joinings = changes.flatMap((change) => change.userIds.map((userId) => ({ userId, change })))
  const byUser = Map.groupBy(joinings, ({ userId }) => userId)
  const groups = Map.groupBy(byUser, ([, own]) => own.map(({ change }) => change.channel.id).join())
  return [...groups.values()].map((group) => ({
    changes: group[0]![1].map(({ change }) => change),
    userIds: group.map(([userId]) => userId),
  }))
}
