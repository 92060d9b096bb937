import { type Audience, EVERYONE } from '../../core/audience.ts'
import { CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import type { Continuation, RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { mayAccessChannelMetadata } from '../../rules/channel-rules.ts'
import type { GroupSettingValue } from '../../rules/group-setting-values.ts'
import type { ChannelGroupSettingName } from '../../rules/group-settings.ts'
import { type Channel, listChannelsNaming } from '../../store/channels/channel-rows.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { groupsListing } from '../../store/user-groups/membership-rows.ts'
import { listGroupsNamingUser } from '../../store/user-groups/user-group-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import { emitChannelUpdate } from '../channels/change/emit-channel-update.ts'
import { channelMetadataAudience } from '../channels/visibility/channel-audiences.ts'
import { announcePermission } from '../realm/announce-realm-change.ts'
import { emitGroupEvent } from '../user-groups/change-group.ts'
import { directSystemGroups } from '../user-groups/group-members.ts'
import { presentGroupSetting } from '../user-groups/present-user-group.ts'
import { strangersTo, userAudience } from '../users/visibility/visible-users.ts'

/** Work that takes as long as one event: people in its value and audience, and checks whether a user sees a channel. */
const AS_EVENT = { people: 200, checks: 15 } as const

/** Emits the groups of a reopened account, and the permissions that name it, to everybody: both leave out closed accounts. */
export function emitGroupsOfReturn(tx: RealmTransaction, user: User): void {
  emitGroups(tx, { ...user, isActive: true })
}

/**
 * Emits a closed account's groups, and the permissions that name it, to `strangers`, who do not see the user. Other clients remove the
 * account on their own (docs/interface/events.md#events-about-people; docs/decisions/interface.md#queues-and-events).
 */
export function emitGroupsOfDeparture(tx: RealmTransaction, user: User, strangers: readonly User[]): void {
  if (strangers.length > 0) emitGroups(tx, { ...user, isActive: false }, strangers)
}

/** Emits as much as one commit takes, and schedules the rest. `only`: the users to notify; absent: everybody. */
function emitGroups(tx: RealmTransaction, user: User, only?: readonly User[]): void {
  for (const groupId of directSystemGroups(tx.sql, user, tx.now)) emitMembership(tx, user, groupId, only)
  for (const [name] of namingUser(realmPermissions(tx.sql), user.id)) {
    announcePermission(tx, name, only && audienceOf(only))
  }
  const left = announceFrom(tx, user, { part: 'memberships', above: 0 }, only)
  if (left) tx.continueLater(announcingNaming, String(user.id), left)
}

/** Emits further groups and permissions that name the account as it is now. */
export const announcingNaming: Continuation<Progress> = {
  name: 'announce-naming',
  next(tx, from, key) {
    const user = findUser(tx.sql, Number(key))
    if (!user) return undefined
    const only = user.isActive ? undefined : strangersTo(tx, userAudience(tx, user))
    // Nobody is left to notify if the account was closed again and everybody sees it.
    return only?.length === 0 ? undefined : announceFrom(tx, user, from, only)
  },
}

/** The parts that follow the system groups and the organization's permissions, in this order. */
const PARTS = ['memberships', 'groups', 'channels'] as const

/** The progress: ids of this part above this one are left, and all later parts. */
interface Progress {
  readonly part: (typeof PARTS)[number]
  readonly above: number
}

interface Announcement {
  readonly id: number
  /** The number of events that take as long, at least 1. */
  readonly cost: number
  emit(): void
}

/** Announces as much of the rest as one commit takes. Returns how far it came; undefined at the end. */
function announceFrom(
  tx: RealmTransaction,
  user: User,
  from: Progress,
  only: readonly User[] | undefined,
): Progress | undefined {
  let room: number = CHANGES_OF_COMMIT
  let reached = from
  for (const part of PARTS.slice(PARTS.indexOf(from.part))) {
    const above = part === from.part ? from.above : 0
    for (const { id, cost, emit } of ANNOUNCEMENTS[part](tx, user, { above, limit: MOST_AT_ONCE }, only)) {
      // Each commit announces something, whatever it costs.
      if (cost > room && room < CHANGES_OF_COMMIT) return reached
      emit()
      room -= cost
      reached = { part, above: id }
    }
  }
  return undefined
}

/** One more than a commit announces, so that none is missed. */
const MOST_AT_ONCE = CHANGES_OF_COMMIT + 1

type Announcing = (
  tx: RealmTransaction,
  user: User,
  range: { readonly above: number; readonly limit: number },
  only?: readonly User[],
) => readonly Announcement[]

/** Lists the next announcements of each part, by ascending ids. */
const ANNOUNCEMENTS: Record<Progress['part'], Announcing> = {
  memberships(tx, user, { above }, only) {
    const ids = groupsListing(tx.sql, user.id).sort((one, other) => one - other)
    return ids
      .filter((id) => id > above)
      .map((id) => ({
        id,
        cost: costOf(only?.length ?? 0),
        emit: () => emitMembership(tx, user, id, only),
      }))
  },
  groups: (tx, user, range, only) =>
    listGroupsNamingUser(tx.sql, user.id, range).map(({ id, settings }) => {
      const naming = namingUser(settings, user.id)
      return {
        id,
        cost: Math.max(costOfValues(naming, only?.length ?? 0), 1),
        emit() {
          for (const [name, value] of naming) {
            const data = { [name]: presentGroupSetting(tx.sql, value) }
            emitGroupEvent(tx, { op: 'update', group_id: id, data }, audienceOf(only))
          }
        },
      }
    }),
  channels: (tx, user, range, only) =>
    listChannelsNaming(tx.sql, user.id, range).map((channel) => {
      const naming = namingUser(channel.settings, user.id)
      return {
        id: channel.id,
        get cost() {
          // The creator is listed too, and may be in no permission.
          if (naming.length === 0) return 1
          const readers = only ?? channelMetadataAudience(tx, channel).users ?? []
          const checks = only ? Math.floor(only.length / AS_EVENT.checks) : 0
          return checks + costOfValues(naming, readers.length)
        },
        emit: () => emitChannelNaming(tx, channel, naming, only),
      }
    }),
}

function emitMembership(tx: RealmTransaction, user: User, groupId: number, only?: readonly User[]): void {
  const op = user.isActive ? 'add_members' : 'remove_members'
  emitGroupEvent(tx, { op, group_id: groupId, user_ids: [user.id] }, audienceOf(only))
}

function emitChannelNaming(
  tx: RealmTransaction,
  channel: Channel,
  naming: readonly Naming<ChannelGroupSettingName>[],
  only?: readonly User[],
): void {
  const seeing = only?.filter((reader) => seesChannel(tx, channel, reader)).map(({ id }) => id)
  if (seeing?.length === 0) return
  for (const [property, value] of naming) {
    const update = { property, value: presentGroupSetting(tx.sql, value) }
    emitChannelUpdate(tx, channel, update, { only: seeing })
  }
}

function seesChannel({ sql, now }: RealmReads, channel: Channel, reader: User): boolean {
  return mayAccessChannelMetadata(
    actorOf(sql, reader, now),
    channel,
    isSubscribed(sql, channel.id, reader.id),
  )
}

function audienceOf(only: readonly User[] | undefined): Audience {
  return only ? { users: only.map(({ id }) => id) } : EVERYONE
}

function costOfValues(naming: readonly Naming<string>[], readers: number): number {
  return naming.reduce((sum, [, { direct_members }]) => sum + costOf(readers + direct_members.length), 0)
}

/** Returns the cost of an event with this number of people in its value and audience. */
function costOf(people: number): number {
  return 1 + Math.floor(people / AS_EVENT.people)
}

/** A permission that lists the user, and its value. */
type Naming<Name extends string> = readonly [Name, Exclude<GroupSettingValue, number>]

function namingUser<Name extends string>(
  settings: Readonly<Record<Name, GroupSettingValue>>,
  userId: number,
): Naming<Name>[] {
  return (Object.entries(settings) as [Name, GroupSettingValue][]).flatMap(([name, value]) =>
    typeof value !== 'number' && value.direct_members.includes(userId) ? [[name, value] as const] : [],
  )
}
