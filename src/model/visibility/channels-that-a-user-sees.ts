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
 * Limits of the channels, and their subscribers, that a user begins to see by one commit with events: some 30 µs a
 * channel and 1 µs a subscriber. The queues of a user who begins to see more end, and clients register again
 * (docs/interface/events.md#poll).
 */
const CHANNELS_GAINED_IN_EVENTS = { channels: 300, subscribers: 20_000 } as const

/** Returns those of the channels that the user may know of, as an actor with these rights and with those. */
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
 * Notifies a user of the channels that have become visible to them by a change of their rights, with the
 * subscribers, and of those that no longer are. With too many of the former the user's queues end: clients register again, which
 * the object does in turns. Source: docs/interface/events.md#events-about-channels-and-groups; docs/interface/events.md#order.
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

/** Whether one commit has time to tell a user of these channels. */
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
