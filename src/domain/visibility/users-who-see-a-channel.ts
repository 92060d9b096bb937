import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredStreamEvent } from '../../events/stream.ts'
import type { StoredSubscriptionEvent } from '../../events/subscription.ts'
import type { Actor } from '../../permissions/actor.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import { actorsOf } from '../caller.ts'
import { onlyForThoseWhoSeeArchived } from '../channels/archive/archived-channels.ts'
import type { Channel, ChannelToRemove } from '../channels/channel-rows.ts'
import { presentChannel } from '../channels/read/present-channel.ts'
import { VISIBILITY_SETTINGS } from '../channels/visibility/channel-audiences.ts'
import { subscriberIdsOf, subscribersAmong } from '../subscriptions/subscription-rows.ts'
import { listActive } from '../users/active-user-rows.ts'

/** Channels that one event shows: an event of 5,000 would not fit into a row of the log. */
const CHANNELS_OF_ONE_EVENT = 200

/** Returns the active users as the permission rules need them. Callers read them once for all channels. */
export function viewersNow({ sql, now }: RealmReads): Actor[] {
  return actorsOf(sql, listActive(sql), now)
}

/** Returns the ids of the viewers who may see that the channel exists. */
export function usersWhoSee({ sql }: RealmReads, channel: Channel, viewers: readonly Actor[]): Set<number> {
  const ids = viewers.map(({ id }) => id)
  const subscribers = subscribersAmong(sql, channel.id, ids)
  const sees = askedOnceOfAlike(usersNamedIn([channel]), (viewer) =>
    mayAccessChannelMetadata(viewer, channel, false),
  )
  return new Set(viewers.filter((viewer) => subscribers.has(viewer.id) || sees(viewer)).map(({ id }) => id))
}

/** Returns the users who are named in the permissions by which a channel is seen. */
export function usersNamedIn(channels: readonly Channel[]): Set<number> {
  return new Set(
    channels.flatMap(({ settings }) =>
      VISIBILITY_SETTINGS.flatMap((name) => {
        const value = settings[name]
        return typeof value === 'number' ? [] : value.direct_members
      }),
    ),
  )
}

/**
 * Asks a rule once for all users of one role and the same groups, who share one set (`actorsOf`), unless they are `named`: thousands
 * are asked about, and a permission may name thousands.
 */
function askedOnceOfAlike(
  named: ReadonlySet<number>,
  ask: (viewer: Actor) => boolean,
): (viewer: Actor) => boolean {
  const known = new Map<number, Map<ReadonlySet<number>, boolean>>()
  return (viewer) => {
    if (named.has(viewer.id)) return ask(viewer)
    const ofRole = known.get(viewer.role) ?? new Map<ReadonlySet<number>, boolean>()
    known.set(viewer.role, ofRole)
    const answer = ofRole.get(viewer.groupIds) ?? ask(viewer)
    ofRole.set(viewer.groupIds, answer)
    return answer
  }
}

/**
 * Emits the channel, with its subscribers, to users who newly see it, and its removal to users who no longer
 * see it (docs/interface/events.md#order). Returns the ids of the former, who have then got the whole
 * channel.
 */
export function announceChannelVisibility(
  tx: RealmTransaction,
  channel: Channel,
  before: ReadonlySet<number>,
  viewers: readonly Actor[],
): number[] {
  const after = usersWhoSee(tx, channel, viewers)
  const gaining = [...after].filter((id) => !before.has(id))
  const losing = [...before].filter((id) => !after.has(id))
  if (gaining.length > 0) emitChannelsGained(tx, [channel], gaining)
  if (losing.length > 0) emitChannelsLost(tx, [channel], losing)
  return gaining
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
