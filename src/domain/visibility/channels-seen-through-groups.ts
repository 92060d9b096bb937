import { CHANNELS_SEEN_THROUGH_GROUPS } from '../../core/commit-budgets.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import { isGuest } from '../../permissions/roles.ts'
import { actorOf } from '../caller.ts'
import { type Channel, listPrivateChannelsNaming } from '../channels/channel-rows.ts'
import { VISIBILITY_SETTINGS, whoSeesAll } from '../channels/visibility/channel-audiences.ts'
import { subscribedAmong, subscriberIdsOf } from '../subscriptions/subscription-rows.ts'
import { groupsContaining } from '../user-groups/group-members.ts'
import { type ActiveUser, listActive } from '../users/active-user-rows.ts'
import { endQueuesOf } from '../users/login/end-sessions.ts'
import { fitIntoEvents } from './channels-that-a-user-sees.ts'
import { CHANNELS_OF_ONE_EVENT, emitChannelsGained, emitChannelsLost } from './users-who-see-a-channel.ts'

/** Users who become members of a group by a change, or are no longer members after it; also by a group in it. */
interface ChangedMembers {
  readonly groupId: number
  readonly userIds: readonly number[]
  readonly become: 'members' | 'others'
}

/**
 * Makes a change of group members, then notifies the users concerned of the private channels that they now
 * see, or no longer see, by their groups. Returns what the change returns. With too many of these the users' queues end, and clients
 * register again. Source:
 * docs/interface/access.md#channels; docs/interface/events.md#events-about-channels-and-groups.
 */
export function withVisibilityEventsOfMembership<R>(
  tx: RealmTransaction,
  { groupId, userIds, become }: ChangedMembers,
  change: () => R,
): R {
  const channels = channelsVisibleToGroups(tx, groupsContaining(tx.sql, groupId))
  if (channels.length === 0) return change()
  const areMany = userIds.length >= MANY_USERS
  const watch =
    areMany && !fitIntoEvents(tx.sql, idsOf(channels)) ? undefined : watchAll(tx, channels, userIds, become)
  const result = change()
  const changes = watch?.()
  if (changes && fitTogether(tx, changes)) emitAll(tx, changes)
  else endQueuesOf(tx, userIds)
  return result
}

/** Channels that the same users see after a change, and did not see before, or the other way round. */
interface VisibilityChange {
  readonly isGain: boolean
  readonly channels: readonly Channel[]
  readonly users: readonly number[]
  /** The number of events, at most. */
  readonly events: number
}

/** Looks who of the users sees which channels now. Returns what finds what has changed; undefined where one turn is too short. */
function watchAll(
  tx: RealmTransaction,
  channels: readonly Channel[],
  userIds: readonly number[],
  become: ChangedMembers['become'],
): (() => readonly VisibilityChange[] | undefined) | undefined {
  const users = listActive(tx.sql, userIds)
  const alike = [...Map.groupBy(channels, visibilityOf).values()]
  if (alike.length * users.length > CHANNELS_SEEN_THROUGH_GROUPS.checks) return undefined
  const look = () => (users.length >= MANY_USERS ? seenByMany : seenByFew)(tx, alike, users)
  // Members see all of these channels by the group: to find that out in thousands of memberships takes most of the time.
  const byGroup = () => alike.map(() => nonGuests(users))
  const before = become === 'members' ? look() : byGroup()
  if (!before) return undefined
  return () => {
    const after = become === 'members' ? byGroup() : look()
    if (!after) return undefined
    const subscribers = subscribersAmongAll(tx, channels, userIds)
    return merged(
      subscribers,
      alike.flatMap((those, at) => [
        ...changesOf(those, { from: before[at]!, to: after[at]!, isGain: true }, subscribers),
        ...changesOf(those, { from: after[at]!, to: before[at]!, isGain: false }, subscribers),
      ]),
    )
  }
}

function nonGuests(users: readonly ActiveUser[]): ReadonlySet<number> {
  return new Set(users.filter((user) => !isGuest(user)).map(({ id }) => id))
}

/** Number of users from which on the members of a channel's groups are read, instead of the groups of each user. */
const MANY_USERS = 20

/** For each sort of channels, the users who see them without being subscribed. */
type Seers = readonly ReadonlySet<number>[]

function seenByFew(
  { sql, now }: RealmReads,
  alike: readonly (readonly Channel[])[],
  users: readonly ActiveUser[],
): Seers {
  const actors = users.map((user) => actorOf(sql, user, now))
  return alike.map(([channel]) => {
    const seers = actors.filter((actor) => mayAccessChannelMetadata(actor, channel!, false))
    return new Set(seers.map(({ id }) => id))
  })
}

function seenByMany(
  tx: RealmReads,
  alike: readonly (readonly Channel[])[],
  users: readonly ActiveUser[],
): Seers | undefined {
  const until = tx.sql.counts.read + CHANNELS_SEEN_THROUGH_GROUPS.rows
  const found: ReadonlySet<number>[] = []
  // Channels that name the same groups in other ways have one list.
  const sets = new Map<readonly number[], ReadonlySet<number>>()
  for (const [channel] of alike) {
    if (tx.sql.counts.read >= until) return undefined
    const { roles = [], users: named = [] } = whoSeesAll(tx, channel!)
    const [ofRoles, byName] = [new Set(roles), sets.get(named) ?? new Set(named)]
    sets.set(named, byName)
    const seers = users.filter(({ id, role }) => ofRoles.has(role) || byName.has(id))
    found.push(new Set(seers.map(({ id }) => id)))
  }
  return found
}

/** Returns those of the users who are subscribed to each of these channels, perhaps with others; channels without any may be missing. */
function subscribersAmongAll(
  { sql }: RealmReads,
  channels: readonly Channel[],
  userIds: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  const channelIds = idsOf(channels)
  if (userIds.length >= MANY_USERS) return subscriberIdsOf(sql, channelIds)
  const pairs = [...userIds]
    .sort((a, b) => a - b)
    .flatMap((userId) =>
      [...subscribedAmong(sql, userId, channelIds)].map((channelId) => ({ channelId, userId })),
    )
  const found = Map.groupBy(pairs, ({ channelId }) => channelId)
  return new Map([...found].map(([id, those]) => [id, those.map(({ userId }) => userId)]))
}

function channelsVisibleToGroups({ sql }: RealmReads, groupIds: ReadonlySet<number>): Channel[] {
  return listPrivateChannelsNaming(sql, [...groupIds]).filter(({ settings }) =>
    VISIBILITY_SETTINGS.some((name) => {
      const value = settings[name]
      return typeof value === 'number'
        ? groupIds.has(value)
        : value.direct_subgroups.some((id) => groupIds.has(id))
    }),
  )
}

/** Returns what is the same for channels that the same users see unless they are subscribed. */
function visibilityOf({ isArchived, settings }: Channel): string {
  return JSON.stringify([isArchived, ...VISIBILITY_SETTINGS.map((name) => settings[name])])
}

/** Returns who is in `to` and not in `from`, with all channels of which the same is true in one change. */
function changesOf(
  channels: readonly Channel[],
  { from, to, isGain }: { from: ReadonlySet<number>; to: ReadonlySet<number>; isGain: boolean },
  subscribers: ReadonlyMap<number, readonly number[]>,
): Omit<VisibilityChange, 'events'>[] {
  const changed = [...to].filter((id) => !from.has(id)).sort((a, b) => a - b)
  if (changed.length === 0) return []
  const among = new Set(changed)
  // Subscribers see it all the time.
  const stayingIn = ({ id }: Channel) =>
    (subscribers.get(id) ?? []).filter((userId) => among.has(userId)).join()
  return [...Map.groupBy(channels, stayingIn)].flatMap(([key, same]) => {
    const staying = new Set(key.split(',').map(Number))
    const users = changed.filter((id) => !staying.has(id))
    return users.length === 0 ? [] : [{ isGain, channels: same, users }]
  })
}

/** Returns the same with the channels that the same users gain, or lose, together. */
function merged(
  subscribers: ReadonlyMap<number, readonly number[]>,
  changes: readonly Omit<VisibilityChange, 'events'>[],
): VisibilityChange[] {
  const key = ({ isGain, channels, users }: (typeof changes)[number]) =>
    `${isGain} ${channels[0]!.isArchived} ${users.join()}`
  return [...Map.groupBy(changes, key).values()].map((same) => {
    const channels = same.flatMap((one) => one.channels)
    // Each list of subscribers has an event of its own.
    const lists = new Set(channels.map(({ id }) => subscribers.get(id)?.join()))
    const isGain = same[0]!.isGain
    const events = Math.ceil(channels.length / CHANNELS_OF_ONE_EVENT) + (isGain ? lists.size : 0)
    return { isGain, channels, users: same[0]!.users, events }
  })
}

/** Whether one commit has time for the events. */
function fitTogether(tx: RealmReads, changes: readonly VisibilityChange[]): boolean {
  const receivers = changes.reduce((sum, { users, events }) => sum + users.length * events, 0)
  const gained = new Set(changes.filter(({ isGain }) => isGain).flatMap(({ channels }) => idsOf(channels)))
  return receivers <= CHANNELS_SEEN_THROUGH_GROUPS.receivers && fitIntoEvents(tx.sql, [...gained])
}

function emitAll(tx: RealmTransaction, changes: readonly VisibilityChange[]): void {
  for (const { isGain, channels, users } of changes) {
    if (isGain) emitChannelsGained(tx, channels, users)
    else emitChannelsLost(tx, channels, users)
  }
}

function idsOf(channels: readonly Channel[]): number[] {
  return channels.map(({ id }) => id)
}
