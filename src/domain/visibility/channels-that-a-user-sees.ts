import { toUsers } from '../../core/audience.ts'
import { chunksOfJson } from '../../core/chunks-of-json.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { StoredStreamEvent } from '../../events/stream.ts'
import type { StoredSubscriptionEvent } from '../../events/subscription.ts'
import type { Actor } from '../../permissions/actor.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import { type Channel, listChannels } from '../channels/channel-rows.ts'
import { presentChannel } from '../channels/read/present-channel.ts'
import { listSubscriptionsOfUser, subscriberIds } from '../subscriptions/subscription-rows.ts'
import type { User } from '../users/user-rows.ts'

/** Lists every channel that the user may know of. */
export function channelsSeenBy(sql: Sql, actor: Actor): Channel[] {
  const subscribed = new Set(
    listSubscriptionsOfUser(sql, actor.id)
      .filter(({ isActive }) => isActive)
      .map(({ channelId }) => channelId),
  )
  return listChannels(sql).filter((channel) =>
    mayAccessChannelMetadata(actor, channel, subscribed.has(channel.id)),
  )
}

/**
 * Notifies a user of the channels that have become visible to them by a change of their rights, with the
 * subscribers, and of those that no longer are. Source:
 * docs/interface/events.md#events-about-channels-and-groups; docs/interface/events.md#order.
 */
export function announceVisibleChannels(
  tx: RealmTransaction,
  user: User,
  before: readonly Channel[],
  after: readonly Channel[],
): void {
  const gained = without(after, before)
  const lost = without(before, after)
  for (const channels of splitByArchived(gained)) emitCreate(tx, user, channels)
  for (const channel of gained) emitSubscribers(tx, user, channel)
  for (const channels of splitByArchived(lost)) emitDelete(tx, user, channels)
}

/** Emits the channels in as few events as can hold them: there may be thousands. */
function emitCreate(tx: RealmTransaction, user: User, channels: readonly Channel[]): void {
  const presented = channels.map((channel) =>
    presentChannel(tx.sql, channel, { subscriberCount: subscriberIds(tx.sql, channel.id).length }),
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

function emitSubscribers(tx: RealmTransaction, user: User, channel: Channel): void {
  const subscribers = subscriberIds(tx.sql, channel.id)
  if (subscribers.length === 0) return
  const event: StoredSubscriptionEvent = {
    type: 'subscription',
    op: 'peer_add',
    stream_ids: [channel.id],
    user_ids: subscribers,
  }
  tx.emit(event, toUsers(user.id))
}

function emitDelete(tx: RealmTransaction, user: User, channels: readonly Channel[]): void {
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
