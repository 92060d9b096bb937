import { toUsers } from '../../core/audience.ts'
import { chunksOfJson } from '../../core/chunks-of-json.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { StoredStreamEvent } from '../../events/stream.ts'
import type { StoredSubscriptionEvent } from '../../events/subscription.ts'
import type { Actor } from '../../permissions/actor.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import { isGuest } from '../../permissions/roles.ts'
import { type Channel, listChannels, listPrivateChannels } from '../channels/channel-rows.ts'
import { presentChannel } from '../channels/read/present-channel.ts'
import { subscribedChannelIds, subscriberIdsOf } from '../subscriptions/subscription-rows.ts'
import type { User } from '../users/user-rows.ts'

type Viewer = Pick<User, 'id'>

/**
 * Returns the channels that the user may know of, as an actor with these rights and with those; channels that
 * both see anyway may be missing. Private ones alone depend on anything but whether the actor is a guest.
 */
export function channelsSeenAs(
  sql: Sql,
  one: Actor,
  other: Actor,
  channels = isGuest(one) === isGuest(other) ? listPrivateChannels(sql) : listChannels(sql),
): [Channel[], Channel[]] {
  const subscribed = new Set(subscribedChannelIds(sql, one.id))
  const seenBy = (actor: Actor) =>
    channels.filter((channel) => mayAccessChannelMetadata(actor, channel, subscribed.has(channel.id)))
  return [seenBy(one), seenBy(other)]
}

/**
 * Notifies a user of the channels that have become visible to them by a change of their rights, with the
 * subscribers, and of those that no longer are. Source:
 * docs/interface/events.md#events-about-channels-and-groups; docs/interface/events.md#order.
 */
export function announceVisibleChannels(
  tx: RealmTransaction,
  user: Viewer,
  before: readonly Channel[],
  after: readonly Channel[],
): void {
  const gained = without(after, before)
  const lost = without(before, after)
  const subscribers = subscriberIdsOf(
    tx.sql,
    gained.map(({ id }) => id),
  )
  for (const channels of splitByArchived(gained)) emitCreate(tx, user, channels, subscribers)
  for (const { id } of gained) emitSubscribers(tx, user, id, subscribers.get(id) ?? [])
  for (const channels of splitByArchived(lost)) emitDelete(tx, user, channels)
}

/** Emits the channels in as few events as can hold them: there may be thousands. */
function emitCreate(
  tx: RealmTransaction,
  user: Viewer,
  channels: readonly Channel[],
  subscribers: ReadonlyMap<number, readonly number[]>,
): void {
  const presented = channels.map((channel) =>
    presentChannel(tx.sql, channel, { subscriberCount: subscribers.get(channel.id)?.length ?? 0 }),
  )
  for (const streams of chunksOfJson(presented)) {
    const event: StoredStreamEvent = {
      type: 'stream',
      op: 'create',
      streams,
      ...onlyForThoseWhoKnow(channels),
    }
    tx.emit(event, toUsers(user.id))
  }
}

function emitSubscribers(
  tx: RealmTransaction,
  user: Viewer,
  channelId: number,
  subscribers: readonly number[],
): void {
  if (subscribers.length === 0) return
  const event: StoredSubscriptionEvent = {
    type: 'subscription',
    op: 'peer_add',
    stream_ids: [channelId],
    user_ids: subscribers,
  }
  tx.emit(event, toUsers(user.id))
}

function emitDelete(tx: RealmTransaction, user: Viewer, channels: readonly Channel[]): void {
  const event: StoredStreamEvent = {
    type: 'stream',
    op: 'delete',
    streams: channels.map(({ id }) => ({ stream_id: id })),
    stream_ids: channels.map(({ id }) => id),
    ...onlyForThoseWhoKnow(channels),
  }
  tx.emit(event, toUsers(user.id))
}

/** Restricts the event: clients that do not know archived channels have never seen them. */
function onlyForThoseWhoKnow([first]: readonly Channel[]): Pick<StoredStreamEvent, 'for_archived_channels'> {
  return first?.isArchived ? { for_archived_channels: 'yes' } : {}
}

function splitByArchived(channels: readonly Channel[]): Channel[][] {
  return [...Map.groupBy(channels, ({ isArchived }) => isArchived).values()]
}

function without(channels: readonly Channel[], others: readonly Channel[]): Channel[] {
  const ids = new Set(others.map(({ id }) => id))
  return channels.filter(({ id }) => !ids.has(id))
}
