import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Actor } from '../../permissions/actor.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import { type Channel, listPrivateChannelsNaming } from '../channels/channel-rows.ts'
import { VISIBILITY_SETTINGS } from '../channels/visibility/channel-audiences.ts'
import { subscribersAmong } from '../subscriptions/subscription-rows.ts'
import { groupsContaining } from '../user-groups/group-members.ts'
import { hideChannels, showChannels, viewersNow } from './users-who-see-a-channel.ts'

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
  const before = viewersNow(tx, userIds)
  // Groups are read when they are asked for, and will be other ones then.
  for (const { groupIds } of before) void groupIds
  const result = change()
  const alike = usersAlike(before, viewersNow(tx, userIds), usersNamedIn(channels))
  for (const { channels: shown, users } of changesOf(tx, channels, alike, 1)) showChannels(tx, shown, users)
  for (const { channels: hidden, users } of changesOf(tx, channels, alike, -1)) {
    hideChannels(tx, hidden, users)
  }
  return result
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
function usersAlike(
  before: readonly Actor[],
  after: readonly Actor[],
  named: ReadonlySet<number>,
): readonly Alike[] {
  const formerly = new Map(before.map((viewer) => [viewer.id, viewer]))
  // Users in the same groups share one set.
  const sets = new Map<ReadonlySet<number>, number>()
  const numberOf = (groups: ReadonlySet<number>) => {
    const known = sets.get(groups) ?? sets.size
    sets.set(groups, known)
    return known
  }
  const alike = Map.groupBy(after, ({ id, role, groupIds }) => {
    const groups = `${role} ${numberOf(formerly.get(id)!.groupIds)} ${numberOf(groupIds)}`
    return named.has(id) ? `${groups} ${id}` : groups
  })
  return [...alike.values()].map((users) => ({
    before: formerly.get(users[0]!.id)!,
    after: users[0]!,
    ids: users.map(({ id }) => id),
  }))
}

function usersNamedIn(channels: readonly Channel[]): Set<number> {
  return new Set(
    channels.flatMap(({ settings }) =>
      VISIBILITY_SETTINGS.flatMap((name) => {
        const value = settings[name]
        return typeof value === 'number' ? [] : value.direct_members
      }),
    ),
  )
}

/** Channels that the same users see after a change, and did not see before, or the other way round. */
interface VisibilityChange {
  readonly channels: readonly Channel[]
  readonly users: readonly number[]
}

/** Returns what users gain (1) or lose (-1), with all channels of which the same is true in one change. */
function changesOf(
  { sql }: RealmReads,
  channels: readonly Channel[],
  alike: readonly Alike[],
  direction: 1 | -1,
): readonly VisibilityChange[] {
  const alikeOf = new Map(alike.flatMap((users) => users.ids.map((id) => [id, users])))
  const everybody = [...alikeOf.keys()]
  const found = channels.flatMap((channel) => {
    const sees = (viewer: Actor) => Number(mayAccessChannelMetadata(viewer, channel, false))
    const changed = new Set(alike.filter(({ before, after }) => sees(after) - sees(before) === direction))
    if (changed.size === 0) return []
    // Subscribers see it all the time.
    const staying = [...subscribersAmong(sql, channel.id, everybody)]
      .filter((id) => changed.has(alikeOf.get(id)!))
      .sort((a, b) => a - b)
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
