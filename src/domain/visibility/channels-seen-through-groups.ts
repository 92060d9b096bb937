import { thoseMissing } from '../../core/ascending-ids.ts'
import { SEEN_ANEW_IN_EVENTS } from '../../core/budgets.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import { isGuest } from '../../permissions/roles.ts'
import { actorOf } from '../caller.ts'
import { type Channel, listPrivateChannelsNaming } from '../channels/channel-rows.ts'
import { VISIBILITY_SETTINGS, whoSeesAll } from '../channels/visibility/channel-audiences.ts'
import { subscribedAmong, subscriberIdsOf } from '../subscriptions/subscription-rows.ts'
import { groupsContaining } from '../user-groups/group-members.ts'
import {
  type ActiveUser,
  activeWithRoles,
  listActive,
  type UsersWithRoles,
} from '../users/active-user-rows.ts'
import { endQueuesOf } from '../users/login/end-sessions.ts'
import { fitIntoEvents } from './channels-that-a-user-sees.ts'
import { CHANNELS_OF_ONE_EVENT, emitChannelsGained, emitChannelsLost } from './users-who-see-a-channel.ts'

/** Users who become members of a group by a change, or are no longer members after it; also by a group in it. */
interface ChangedMembers {
  readonly groupId: number
  /** Returns them; closed accounts may be among them. Nobody asks unless channels are seen by the group: there may be ten thousand. */
  readonly userIds: () => readonly number[]
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
  { groupId, become, ...changed }: ChangedMembers,
  change: () => R,
): R {
  const channels = channelsVisibleToGroups(tx, groupsContaining(tx.sql, groupId))
  if (channels.length === 0) return change()
  const userIds = changed.userIds()
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
  const few = userIds.length < MANY_USERS ? listActive(tx.sql, userIds) : undefined
  const users = few
    ? { ids: idsOf(few), roles: few.map(({ role }) => role) }
    : activeWithRoles(tx.sql, userIds)
  const alike = [...Map.groupBy(channels, visibilityOf).values()]
  if (alike.length * users.ids.length > SEEN_ANEW_IN_EVENTS.checks) return undefined
  const look = () => (few ? seenByFew(tx, alike, few) : seenByMany(tx, alike, users))
  // Members see all of these channels by the group: to find that out in thousands of memberships takes most of the time.
  const nonGuests = users.ids.filter((_id, at) => !isGuest({ role: users.roles[at]! }))
  const byGroup = () => alike.map(() => nonGuests)
  const before = become === 'members' ? look() : byGroup()
  if (!before) return undefined
  return () => {
    const after = become === 'members' ? byGroup() : look()
    if (!after) return undefined
    const subscribers = subscribersAmongAll(tx, channels, users.ids)
    return merged(
      subscribers,
      alike.flatMap((those, at) => [
        ...changesOf(those, { from: before[at]!, to: after[at]!, isGain: true }, subscribers),
        ...changesOf(those, { from: after[at]!, to: before[at]!, isGain: false }, subscribers),
      ]),
    )
  }
}

/** Number of users from which on the members of a channel's groups are read, instead of the groups of each user. */
const MANY_USERS = 20

/** For each sort of channels, the users who see them without being subscribed, ascending. */
type Seers = readonly (readonly number[])[]

function seenByFew(
  { sql, now }: RealmReads,
  alike: readonly (readonly Channel[])[],
  users: readonly ActiveUser[],
): Seers {
  const actors = users.map((user) => actorOf(sql, user, now))
  return alike.map(([channel]) =>
    idsOf(actors.filter((actor) => mayAccessChannelMetadata(actor, channel!, false))),
  )
}

function seenByMany(
  tx: RealmReads,
  alike: readonly (readonly Channel[])[],
  { ids, roles: rolesOf }: UsersWithRoles,
): Seers | undefined {
  const until = tx.sql.counts.read + SEEN_ANEW_IN_EVENTS.memberships
  const found: (readonly number[])[] = []
  // Channels that name the same groups in other ways have one list.
  const sets = new Map<readonly number[], ReadonlySet<number>>()
  for (const [channel] of alike) {
    if (tx.sql.counts.read >= until) return undefined
    const { roles = [], users: named = [] } = whoSeesAll(tx, channel!)
    const [ofRoles, byName] = [new Set(roles), sets.get(named) ?? new Set(named)]
    sets.set(named, byName)
    found.push(ids.filter((id, at) => ofRoles.has(rolesOf[at]!) || byName.has(id)))
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
  { from, to, isGain }: { from: readonly number[]; to: readonly number[]; isGain: boolean },
  subscribers: ReadonlyMap<number, readonly number[]>,
): Omit<VisibilityChange, 'events'>[] {
  const changed = thoseMissing(to, from)
  if (changed.length === 0) return []
  // Subscribers see it all the time. Most of these channels have few, or none.
  let among: ReadonlySet<number> | undefined
  const isChanged = (userId: number) => {
    among ??= new Set(changed)
    return among.has(userId)
  }
  const stayingIn = ({ id }: Channel) => (subscribers.get(id) ?? []).filter(isChanged).join()
  return [...Map.groupBy(channels, stayingIn)].flatMap(([key, same]) => {
    if (key === '') return [{ isGain, channels: same, users: changed }]
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
  const alike = changes.length > 1 ? [...Map.groupBy(changes, key).values()] : changes.map((one) => [one])
  return alike.map((same) => {
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
  return receivers <= SEEN_ANEW_IN_EVENTS.receivers && fitIntoEvents(tx.sql, [...gained])
}

function emitAll(tx: RealmTransaction, changes: readonly VisibilityChange[]): void {
  for (const { isGain, channels, users } of changes) {
    if (isGain) emitChannelsGained(tx, channels, users)
    else emitChannelsLost(tx, channels, users)
  }
}

function idsOf(those: readonly { readonly id: number }[]): number[] {
  return those.map(({ id }) => id)
}
