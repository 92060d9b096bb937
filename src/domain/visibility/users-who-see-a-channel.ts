import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredStreamEvent } from '../../events/stream.ts'
import type { StoredSubscriptionEvent } from '../../events/subscription.ts'
import type { Role } from '../../permissions/roles.ts'
import { onlyForThoseWhoSeeArchived } from '../channels/archive/archived-channels.ts'
import type { Channel, ChannelToRemove } from '../channels/channel-rows.ts'
import { presentChannel } from '../channels/read/present-channel.ts'
import { whoSeesAll } from '../channels/visibility/channel-audiences.ts'
import { subscriberIdsOf, subscribersAmong } from '../subscriptions/subscription-rows.ts'
import { activeWithRoles, type UsersWithRoles } from '../users/active-user-rows.ts'

/** Channels that one event shows: an event of 5,000 would not fit into a row of the log. */
export const CHANNELS_OF_ONE_EVENT = 200

/**
 * Emits a channel that has changed, with its subscribers, to users who newly see it, and its removal to users who no longer see it
 * (docs/interface/events.md#order). Returns the ids of the former, who have then got the whole channel. Who sees it is found by who is in
 * its groups, and not by the groups of each user, since ten thousand may each be in other ones.
 */
export function announceChannelVisibility(tx: RealmTransaction, before: Channel, after: Channel): number[] {
  const [saw, sees] = [whoSeesAll(tx, before), whoSeesAll(tx, after)]
  const active = activeWithRoles(tx.sql)
  const [gained, lost] = [amongFirstAlone(active, sees, saw), amongFirstAlone(active, saw, sees)]
  if (gained.length + lost.length === 0) return []
  // They see it as they did.
  const subscribed = subscribersAmong(tx.sql, after.id, [...gained, ...lost])
  const gaining = gained.filter((id) => !subscribed.has(id))
  const losing = lost.filter((id) => !subscribed.has(id))
  if (gaining.length > 0) emitChannelsGained(tx, [after], gaining)
  if (losing.length > 0) emitChannelsLost(tx, [after], losing)
  return gaining
}

type Seers = ReturnType<typeof whoSeesAll>

/** Returns those of the active users who are among the first, and not among the second, ascending. */
function amongFirstAlone({ ids, roles }: UsersWithRoles, first: Seers, second: Seers): readonly number[] {
  const [these, those] = [membersOf(first), membersOf(second)]
  const isAmong = (group: typeof these, id: number, role: Role) =>
    group.roles.has(role) || group.users.has(id)
  return ids.filter((id, at) => isAmong(these, id, roles[at]!) && !isAmong(those, id, roles[at]!))
}

function membersOf({ roles = [], users = [] }: Seers) {
  return { roles: new Set<number>(roles), users: new Set(users) }
}

/** Emits channels, all archived or none, to users who newly see them; then who is subscribed to them. */
export function emitChannelsGained(
  tx: RealmTransaction,
  channels: readonly Channel[],
  users: readonly number[],
): void {
  const subscribers = subscriberIdsOf(
    tx.sql,
    channels.map(({ id }) => id),
  )
  for (const part of partsOf(channels)) {
    const created: StoredStreamEvent = {
      type: 'stream',
      op: 'create',
      streams: part.map((channel) =>
        presentChannel(tx.sql, channel, { subscriberCount: subscribers.get(channel.id)?.length ?? 0 }),
      ),
      ...onlyForThoseWhoSeeArchived(part[0]!),
    }
    tx.emit(created, { users })
  }
  // Channels with the same subscribers are in one event.
  for (const alike of Map.groupBy(subscribers, ([, ids]) => ids.join()).values()) {
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
  channels: readonly ChannelToRemove[],
  users: readonly number[],
): void {
  for (const part of partsOf(channels)) {
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

function partsOf<Item>(channels: readonly Item[]): (readonly Item[])[] {
  const count = Math.ceil(channels.length / CHANNELS_OF_ONE_EVENT)
  return Array.from({ length: count }, (_, at) =>
    channels.slice(at * CHANNELS_OF_ONE_EVENT, (at + 1) * CHANNELS_OF_ONE_EVENT),
  )
}
