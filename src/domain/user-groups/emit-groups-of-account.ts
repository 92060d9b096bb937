import { type Audience, EVERYONE } from '../../core/audience.ts'
import { NAMING_IN_ONE_COMMIT } from '../../core/commit-budgets.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import type { GroupSettingValue } from '../../permissions/group-setting-values.ts'
import { actorOf } from '../caller.ts'
import { emitChannelUpdate } from '../channels/change/emit-channel-update.ts'
import { type Channel, listChannelsNaming } from '../channels/channel-rows.ts'
import { deleteMeta, type MetaKey, readMeta, writeMeta } from '../meta-rows.ts'
import { announcePermission } from '../realm/announce-realm-change.ts'
import { realmPermissions } from '../realm/realm-setting-rows.ts'
import { isSubscribed } from '../subscriptions/subscription-rows.ts'
import { findUser, type User } from '../users/user-rows.ts'
import { strangersTo, userAudience } from '../users/visibility/user-audience.ts'
import { emitGroupEvent } from './emit-group-event.ts'
import { directSystemGroups } from './group-members.ts'
import { groupLinks } from './membership-rows.ts'
import { presentGroupSetting } from './present-group-setting.ts'
import { listGroups } from './user-group-rows.ts'

/** The job that goes on with the permissions of channels; its key is the id of the account. */
export const ANNOUNCE_NAMING = 'announce-naming'
/** Seconds between two commits of the job. */
const BETWEEN_COMMITS_SECONDS = 1

/**
 * Emits the groups of a reopened account, and the permissions that name it, to everybody: groups and
 * permissions leave out closed accounts (docs/interface/access.md#permission-values).
 */
export function emitGroupsOfReturn(tx: RealmTransaction, user: User): void {
  emitMembership(tx, user, 'add_members', EVERYONE)
  emitSettingsNaming(tx, user)
}

/**
 * Emits the events about a closed account's groups. Clients that are notified of the account itself remove it
 * from groups and permissions on their own (docs/interface/events.md#events-about-people;
 * docs/decisions/interface.md#queues-and-events). `strangers` do not see the user, so they get the groups and
 * permissions.
 */
export function emitGroupsOfDeparture(tx: RealmTransaction, user: User, strangers: readonly User[]): void {
  if (strangers.length === 0) return
  emitMembership(tx, user, 'remove_members', { users: strangers.map(({ id }) => id) })
  emitSettingsNaming(tx, user, strangers)
}

function emitMembership(
  tx: RealmTransaction,
  user: User,
  op: 'add_members' | 'remove_members',
  audience: Audience,
): void {
  const own = groupLinks(tx.sql).groupsOfMember(user.id)
  for (const groupId of [...directSystemGroups(tx.sql, user, tx.now), ...own]) {
    emitGroupEvent(tx, { op, group_id: groupId, user_ids: [user.id] }, audience)
  }
}

/** Emits the present value of each permission that names the user. `only`: nobody else is notified. */
function emitSettingsNaming(tx: RealmTransaction, user: User, only?: readonly User[]): void {
  const audience = only && { users: only.map(({ id }) => id) }
  for (const [name] of namingUser(realmPermissions(tx.sql), user.id)) announcePermission(tx, name, audience)
  for (const group of listGroups(tx.sql)) {
    for (const [name, value] of namingUser(group.settings, user.id)) {
      const data = { [name]: presentGroupSetting(tx.sql, value) }
      emitGroupEvent(tx, { op: 'update', group_id: group.id, data }, audience)
    }
  }
  const dueAt = emitChannelsNaming(tx, user, only, 0)
  if (dueAt !== undefined) tx.schedule({ kind: ANNOUNCE_NAMING, key: String(user.id), dueAt })
}

/** Emits the permissions of further channels that name the account, as it is now. Returns when it goes on (UNIX seconds). */
export function announceNamingByJob(tx: RealmTransaction, key: string): number | undefined {
  const user = findUser(tx.sql, Number(key))
  const after = user && readMeta<number>(tx.sql, keyOf(user.id))
  if (user === undefined || after === undefined) return undefined
  const only = user.isActive ? undefined : strangersTo(tx, userAudience(tx, user))
  const dueAt = emitChannelsNaming(tx, user, only, after)
  if (dueAt === undefined) deleteMeta(tx.sql, keyOf(user.id))
  return dueAt
}

/**
 * Emits the permissions of the channels that name the user, and whose ids are above `after`: as many as one commit does. Returns when
 * the job goes on with those that are left (UNIX seconds); undefined if none are.
 */
function emitChannelsNaming(
  tx: RealmTransaction,
  user: User,
  only: readonly User[] | undefined,
  after: number,
): number | undefined {
  const channels = listChannelsNaming(tx.sql, user.id).filter(
    ({ id, settings }) => id > after && namingUser(settings, user.id).length > 0,
  )
  const { channels: most, checks } = NAMING_IN_ONE_COMMIT
  const count = only ? Math.min(most, Math.max(1, Math.floor(checks / only.length))) : most
  const next = channels.sort((one, other) => one.id - other.id).slice(0, count)
  for (const channel of next) emitChannelNaming(tx, channel, user, only)
  if (next.length === channels.length) return undefined
  writeMeta(tx.sql, keyOf(user.id), next.at(-1)!.id)
  return tx.now + BETWEEN_COMMITS_SECONDS
}

function keyOf(userId: number): MetaKey {
  return `announcing_naming:${userId}`
}

function emitChannelNaming(tx: RealmTransaction, channel: Channel, user: User, only?: readonly User[]): void {
  const naming = namingUser(channel.settings, user.id)
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

function namingUser<Name extends string>(
  settings: Readonly<Record<Name, GroupSettingValue>>,
  userId: number,
): [Name, GroupSettingValue][] {
  return (Object.entries(settings) as [Name, GroupSettingValue][]).filter(
    ([, value]) => typeof value !== 'number' && value.direct_members.includes(userId),
  )
}
