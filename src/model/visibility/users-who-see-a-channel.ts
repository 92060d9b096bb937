import { IdSet } from '../../core/id-set.ts'
import { inParts } from '../../core/parts-of-lists.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredStreamEvent } from '../../events/stream.ts'
import type { StoredSubscriptionEvent } from '../../events/subscription.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import { openSubscribersOf, subscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { accountsWithRole, activeUsers } from '../../store/users/account-set-rows.ts'
import { onlyForThoseWhoSeeArchived, presentChannel } from '../channels/read/present-channel.ts'
import { whoSeesAll } from '../channels/visibility/channel-audiences.ts'

/** Limit of the channels in one event: 5,000 would not fit into a row of the log. */
export const CHANNELS_OF_ONE_EVENT = 200

/**
 * Emits a changed channel, with its subscribers, to users who newly see it, and its removal to users who no longer see it
 * (docs/interface/events.md#order). Returns the ids of the former, who need no other event about the change. The viewers
 * are found through the members of the channel's groups, since ten thousand users may each be in different groups.
 */
export function announceChannelVisibility(tx: RealmTransaction, before: Channel, after: Channel): number[] {
  const [saw, sees] = [viewersOf(tx, before), viewersOf(tx, after)]
  // Subscribers saw the channel before and still do.
  const subscribers = subscribersOf(tx.sql, after.id)
  const [gaining, losing] = [sees.andNot(saw).andNot(subscribers), saw.andNot(sees).andNot(subscribers)]
  if (gaining.size > 0) emitChannelsGained(tx, [after], gaining.toArray())
  if (losing.size > 0) emitChannelsLost(tx, [after], losing.toArray())
  return gaining.toArray()
}

/** Returns the active users who see a channel without a subscription; some may have one. */
export function viewersOf(tx: RealmReads, channel: Channel): IdSet {
  const { roles = [], users = [] } = whoSeesAll(tx, channel)
  return IdSet.union([...roles.map((role) => accountsWithRole(tx.sql, role)), IdSet.of(users)]).and(
    activeUsers(tx.sql),
  )
}

/** Emits channels, all archived or none, and then their subscribers, to users who newly see them. */
export function emitChannelsGained(
  tx: RealmTransaction,
  channels: readonly Channel[],
  users: readonly number[],
): void {
  const subscribers = new Map(channels.map(({ id }) => [id, openSubscribersOf(tx.sql, id).toArray()]))
  for (const part of inParts(channels, CHANNELS_OF_ONE_EVENT)) {
    const created: StoredStreamEvent = {
      type: 'stream',
      op: 'create',
      streams: part.map((channel) =>
        presentChannel(tx.sql, channel, { subscriberCount: subscribers.get(channel.id)!.length }),
      ),
      ...onlyForThoseWhoSeeArchived(part[0]!),
    }
    tx.emit(created, { users })
  }
  // Channels with the same subscribers share an event.
  const having = [...subscribers].filter(([, ids]) => ids.length > 0)
  for (const alike of Map.groupBy(having, ([, ids]) => ids.join()).values()) {
    const [, ids] = alike[0]!
    const peers: StoredSubscriptionEvent = {
      type: 'subscription',
      op: 'peer_add',
      stream_ids: alike.map(([channelId]) => channelId),
      user_ids: ids,
    }
    tx.emit(peers, { users })
  }
}

/** Emits the removal of channels, all archived or none, to users who no longer see them. */
export function emitChannelsLost(
  tx: RealmTransaction,
  channels: readonly Channel[],
  users: readonly number[],
): void {
  for (const part of inParts(channels, CHANNELS_OF_ONE_EVENT)) {
    const ids = part.map(({ id }) => id)
    const event: StoredStreamEvent = {
      type: 'stream',
      op: 'delete',
      streams: ids.map((stream_id) => ({ stream_id })),
      stream_ids: ids,
      ...onlyForThoseWhoSeeArchived(part[0]!),
    }
    tx.emit(event, { users })
  }
}
