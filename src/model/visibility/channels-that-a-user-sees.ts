import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { Actor } from '../../rules/access.ts'
import { mayAccessChannelMetadata } from '../../rules/channel-rules.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import { channelsOf, subscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { allChannels } from '../channels/read/present-channel.ts'
import { endQueues } from '../users/login/end-sessions.ts'
import { emitChannelsGained, emitChannelsLost } from './users-who-see-a-channel.ts'

/**
 * Limits of the channels, and of their subscribers, that one commit shows to a user by events: some 30 µs a channel and
 * 1 µs a subscriber. Beyond them the user's queues end, and clients register again (docs/interface/events.md#poll).
 */
const CHANNELS_GAINED_IN_EVENTS = { channels: 300, subscribers: 20_000 } as const

/** Returns the channels that a user may know of with the rights of one actor, and with those of the other. */
export function channelsSeenAs(
  tx: RealmReads,
  one: Actor,
  other: Actor,
  channels = allChannels(tx),
): [Channel[], Channel[]] {
  const subscribed = channelsOf(tx.sql, one.id)
  const seenBy = (actor: Actor) =>
    channels.filter((channel) => mayAccessChannelMetadata(actor, channel, subscribed.has(channel.id)))
  return [seenBy(one), seenBy(other)]
}

/**
 * Notifies a user of the channels, with their subscribers, that a change of rights has made visible to them, and of those
 * that are no longer visible. If too many have become visible the user's queues end. Source:
 * docs/interface/events.md#events-about-channels-and-groups; docs/interface/events.md#order.
 */
export function announceVisibleChannels(
  tx: RealmTransaction,
  user: Pick<User, 'id'>,
  before: readonly Channel[],
  after: readonly Channel[],
): void {
  const gained = without(after, before)
  if (!fitIntoEvents(tx.sql, gained)) {
    endQueues(tx, user.id)
    return
  }
  for (const channels of splitByArchived(gained)) {
    emitChannelsGained(tx, channels, [user.id])
  }
  for (const channels of splitByArchived(without(before, after))) emitChannelsLost(tx, channels, [user.id])
}

/** Whether one commit has time for the events that show a user these channels. */
export function fitIntoEvents(sql: Sql, gained: readonly Channel[]): boolean {
  const { channels, subscribers } = CHANNELS_GAINED_IN_EVENTS
  if (gained.length > channels) return false
  return gained.reduce((sum, { id }) => sum + subscribersOf(sql, id).size, 0) <= subscribers
}

function splitByArchived(channels: readonly Channel[]): Channel[][] {
  return [...Map.groupBy(channels, ({ isArchived }) => isArchived).values()]
}

function without(channels: readonly Channel[], others: readonly Channel[]): Channel[] {
  const ids = new Set(others.map(({ id }) => id))
  return channels.filter(({ id }) => !ids.has(id))
}
