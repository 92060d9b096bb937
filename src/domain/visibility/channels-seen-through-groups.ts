import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Actor } from '../../permissions/actor.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import { actorsOf, usersAlike } from '../caller.ts'
import { type Channel, listPrivateChannelsNaming } from '../channels/channel-rows.ts'
import { VISIBILITY_SETTINGS } from '../channels/visibility/channel-audiences.ts'
import { subscribedAmong, subscriberIdsOf } from '../subscriptions/subscription-rows.ts'
import { groupsContaining } from '../user-groups/group-members.ts'
import { type ActiveUser, listActive } from '../users/active-user-rows.ts'
import { emitChannelsGained, emitChannelsLost, usersNamedIn } from './users-who-see-a-channel.ts'

/**
 * Makes a change of group members, then notifies the users concerned of the private channels that they now
 * see, or no longer see, by their groups. Returns what the change returns. Source:
 * docs/interface/access.md#channels; docs/interface/events.md#events-about-channels-and-groups.
 */
export function withVisibilityEventsOfMembership<R>(
  tx: RealmTransaction,
  groupId: number,
  userIds: readonly number[],
  change: () => R,
): R {
  const channels = channelsVisibleToGroups(tx, groupsContaining(tx.sql, groupId))
  if (channels.length === 0) return change()
  const found = alikeAmong(tx, listActive(tx.sql, userIds), usersNamedIn(channels))
  // The change concerns all of them: whoever is alike before it is alike after it.
  const firsts = found.map(([first]) => first!)
  const before = actorsOf(tx.sql, firsts, tx.now)
  // Groups are read when they are asked for, and will be other ones then.
  for (const { groupIds } of before) void groupIds
  const result = change()
  const after = actorsOf(tx.sql, firsts, tx.now)
  const alike = found.map((users, at) => ({
    before: before[at]!,
    after: after[at]!,
    ids: users.map(({ id }) => id),
  }))
  const subscribers = subscribersAmongAll(tx, channels, userIds)
  for (const gained of changesOf(channels, alike, subscribers, 1))
    emitChannelsGained(tx, gained.channels, gained.users)
  for (const lost of changesOf(channels, alike, subscribers, -1))
    emitChannelsLost(tx, lost.channels, lost.users)
  return result
}

/** Number of users from which on all subscribers of the channels are read, instead of the channels of each. */
const MANY_USERS = 20

/** Returns those of the users who are subscribed to each of these channels, perhaps with others; channels without any may be missing. */
function subscribersAmongAll(
  { sql }: RealmReads,
  channels: readonly Channel[],
  userIds: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  const channelIds = channels.map(({ id }) => id)
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

/** Users of one role and the same groups, before the change and after it: the rules answer for one as for all. */
interface Alike {
  readonly before: Actor
  readonly after: Actor
  readonly ids: readonly number[]
}

/** Groups users who see the same channels unless they are subscribed. `named`: users named in a permission, each apart. */
function alikeAmong(
  { sql, now }: RealmReads,
  users: readonly ActiveUser[],
  named: ReadonlySet<number>,
): (readonly ActiveUser[])[] {
  const apart = users.filter(({ id }) => named.has(id)).map((user) => [user])
  const others = usersAlike(
    sql,
    users.filter(({ id }) => !named.has(id)),
    now,
  )
  return [...others, ...apart]
}

/** Channels that the same users see after a change, and did not see before, or the other way round. */
interface VisibilityChange {
  readonly channels: readonly Channel[]
  readonly users: readonly number[]
}

/** Returns what users gain (1) or lose (-1), with all channels of which the same is true in one change. */
function changesOf(
  channels: readonly Channel[],
  alike: readonly Alike[],
  subscribers: ReadonlyMap<number, readonly number[]>,
  direction: 1 | -1,
): readonly VisibilityChange[] {
  const alikeOf = new Map(alike.flatMap((users) => users.ids.map((id) => [id, users])))
  const found = channels.flatMap((channel) => {
    const sees = (viewer: Actor) => Number(mayAccessChannelMetadata(viewer, channel, false))
    const changed = new Set(alike.filter(({ before, after }) => sees(after) - sees(before) === direction))
    if (changed.size === 0) return []
    // Subscribers see it all the time.
    const staying = (subscribers.get(channel.id) ?? []).filter((id) => changed.has(alikeOf.get(id)!))
    const key = `${channel.isArchived} ${[...changed].map(({ ids }) => ids[0])} ${staying}`
    return [{ channel, changed, staying, key }]
  })
  return [...Map.groupBy(found, ({ key }) => key).values()].flatMap((same) => {
    const staying = new Set(same[0]!.staying)
    const changed = [...same[0]!.changed].flatMap(({ ids }) => ids)
    const users = changed.filter((id) => !staying.has(id)).sort((a, b) => a - b)
    return users.length === 0 ? [] : [{ channels: same.map(({ channel }) => channel), users }]
  })
}
