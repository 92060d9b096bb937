import { SEEN_ANEW_IN_EVENTS } from '../../core/budgets.ts'
import { IdSet } from '../../core/id-set.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { Actor } from '../../rules/access.ts'
import { mayAccessChannelMetadata } from '../../rules/channel-rules.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import { channelsOf, openSubscribersOf, subscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { activeUsers } from '../../store/users/account-set-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { allChannels } from '../channels/read/present-channel.ts'
import { VISIBILITY_SETTINGS } from '../channels/visibility/channel-audiences.ts'
import { groupsContaining } from '../user-groups/group-members.ts'
import { endQueues } from '../users/login/sessions.ts'
import {
  CHANNELS_OF_ONE_EVENT,
  emitChannelsGained,
  emitChannelsLost,
  viewersOf,
} from './users-who-see-a-channel.ts'

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
    endQueues(tx, [user.id])
    return
  }
  for (const channels of splitByArchived(gained)) {
    emitChannelsGained(tx, channels, [user.id])
  }
  for (const channels of splitByArchived(without(before, after))) emitChannelsLost(tx, channels, [user.id])
}

/** Whether one commit has time for the events that show a user these channels. */
function fitIntoEvents(sql: Sql, gained: readonly Channel[]): boolean {
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

/**
 * Makes a change of a group's members, then notifies the users concerned of the private channels that their groups now
 * show them, or hide from them. `userIds`, the users concerned, is called only if the group sees channels. Returns what the
 * change returns. With too many events the users' queues end, and clients register again. Source:
 * docs/interface/access.md#channels; docs/interface/events.md#events-about-channels-and-groups.
 */
export function withVisibilityEventsOfMembership<R>(
  tx: RealmTransaction,
  { groupId, ...changed }: { readonly groupId: number; readonly userIds: () => Iterable<number> },
  change: () => R,
): R {
  const channels = channelsVisibleToGroups(tx, groupsContaining(tx.sql, groupId))
  if (channels.length === 0) return change()
  const users = IdSet.of(changed.userIds()).and(activeUsers(tx.sql))
  const alike = [...Map.groupBy(channels, visibilityOf).values()]
  const look = () => viewersOfEach(tx, alike, users)
  const before = look()
  const result = change()
  const after = before && look()
  const changes = after && changesBetween(tx, alike, before, after)
  if (changes && fitTogether(tx, changes)) emitAll(tx, changes)
  else endQueues(tx, users.toArray())
  return result
}

/** Channels that a change shows to the same users, or hides from them. */
interface VisibilityChange {
  readonly isGain: boolean
  readonly channels: readonly Channel[]
  readonly users: readonly number[]
  /** The number of its events, at most. */
  readonly events: number
}

/** Returns the users who see each kind of channels without a subscription; undefined if that takes too long. */
function viewersOfEach(
  tx: RealmReads,
  alike: readonly (readonly Channel[])[],
  users: IdSet,
): readonly IdSet[] | undefined {
  const until = tx.sql.counts.read + SEEN_ANEW_IN_EVENTS.rows
  const found: IdSet[] = []
  for (const [channel] of alike) {
    if (tx.sql.counts.read >= until) return undefined
    found.push(viewersOf(tx, channel!).and(users))
  }
  return found
}

function changesBetween(
  tx: RealmReads,
  alike: readonly (readonly Channel[])[],
  before: readonly IdSet[],
  after: readonly IdSet[],
): VisibilityChange[] {
  return merged(
    tx,
    alike.flatMap((channels, at) => [
      ...changesOf(tx, channels, after[at]!.andNot(before[at]!), true),
      ...changesOf(tx, channels, before[at]!.andNot(after[at]!), false),
    ]),
  )
}

/** Lists the private channels that one of these groups sees, archived ones included, by name. */
export function channelsVisibleToGroups(tx: RealmReads, groupIds: ReadonlySet<number>): Channel[] {
  return allChannels(tx).filter(
    ({ isPrivate, settings }) =>
      isPrivate &&
      VISIBILITY_SETTINGS.some((name) => {
        const value = settings[name]
        return typeof value === 'number'
          ? groupIds.has(value)
          : value.direct_subgroups.some((id) => groupIds.has(id))
      }),
  )
}

/** Returns a key that is the same for channels that the same users see without a subscription. */
function visibilityOf({ isArchived, settings }: Channel): string {
  return JSON.stringify([isArchived, ...VISIBILITY_SETTINGS.map((name) => settings[name])])
}

/** Returns the changes for users to whom groups have shown or hidden channels, without the subscribers, who see them anyway. */
function changesOf(
  { sql }: RealmReads,
  channels: readonly Channel[],
  changed: IdSet,
  isGain: boolean,
): Omit<VisibilityChange, 'events'>[] {
  if (changed.size === 0) return []
  const usersOf = ({ id }: Channel) => changed.andNot(subscribersOf(sql, id)).toArray()
  return [...Map.groupBy(channels, (channel) => usersOf(channel).join()).values()].flatMap((same) => {
    const users = usersOf(same[0]!)
    return users.length === 0 ? [] : [{ isGain, channels: same, users }]
  })
}

function merged(
  { sql }: RealmReads,
  changes: readonly Omit<VisibilityChange, 'events'>[],
): VisibilityChange[] {
  const key = ({ isGain, channels, users }: (typeof changes)[number]) =>
    `${isGain} ${channels[0]!.isArchived} ${users.join()}`
  return [...Map.groupBy(changes, key).values()].map((same) => {
    const channels = same.flatMap((one) => one.channels)
    const [{ isGain, users }] = [same[0]!]
    const stream = Math.ceil(channels.length / CHANNELS_OF_ONE_EVENT)
    // Each different list of subscribers has its own event.
    const peers = isGain
      ? new Set(channels.map(({ id }) => openSubscribersOf(sql, id).toArray().join())).size
      : 0
    return { isGain, channels, users, events: stream + peers }
  })
}

/** Whether one commit has time for the events. */
function fitTogether(tx: RealmReads, changes: readonly VisibilityChange[]): boolean {
  const receivers = changes.reduce((sum, { users, events }) => sum + users.length * events, 0)
  const gained = new Set(changes.filter(({ isGain }) => isGain).flatMap(({ channels }) => channels))
  return receivers <= SEEN_ANEW_IN_EVENTS.receivers && fitIntoEvents(tx.sql, [...gained])
}

function emitAll(tx: RealmTransaction, changes: readonly VisibilityChange[]): void {
  for (const { isGain, channels, users } of changes) {
    if (isGain) emitChannelsGained(tx, channels, users)
    else emitChannelsLost(tx, channels, users)
  }
}
