import type { Channel } from '../../store/channels/channel-rows.ts'

/** Users who join or leave a channel together. */
export interface ChannelMembers {
  readonly channel: Channel
  /** Ascending ids. */
  readonly userIds: readonly number[]
}

export interface SameChannels<Change extends ChannelMembers> {
  readonly changes: readonly Change[]
  readonly userIds: readonly number[]
}

/** Groups users to whom the same channels happen, so that they can be notified together. */
export function groupByChannels<Change extends ChannelMembers>(
  changes: readonly Change[],
): SameChannels<Change>[] {
  const changesOf = new Map<number, Change[]>()
  for (const change of changes) {
    for (const userId of change.userIds) {
      const known = changesOf.get(userId)
      if (known) known.push(change)
      else changesOf.set(userId, [change])
    }
  }
  const groups = Map.groupBy(changesOf, ([, own]) => own.map(({ channel }) => channel.id).join())
  return [...groups.values()].map((group) => ({
    changes: group[0]![1],
    userIds: group.map(([userId]) => userId),
  }))
}
