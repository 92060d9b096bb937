import { type Audience, EVERYONE } from '../../core/audience.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import type { GroupSettingValue } from '../../permissions/group-setting-values.ts'
import { actorOf } from '../caller.ts'
import { emitChannelUpdate } from '../channels/change/emit-channel-update.ts'
import { type Channel, listChannelsNaming } from '../channels/channel-rows.ts'
import { announcePermission } from '../realm/announce-realm-change.ts'
import { realmPermissions } from '../realm/realm-setting-rows.ts'
import { isSubscribed } from '../subscriptions/subscription-rows.ts'
import type { User } from '../users/user-rows.ts'
import { emitGroupEvent } from './emit-group-event.ts'
import { directSystemGroups } from './group-members.ts'
import { groupLinks } from './membership-rows.ts'
import { presentGroupSetting } from './present-group-setting.ts'
import { listGroups } from './user-group-rows.ts'

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
  for (const channel of listChannelsNaming(tx.sql, user.id)) emitChannelNaming(tx, channel, user, only)
}

function emitChannelNaming(tx: RealmTransaction, channel: Channel, user: User, only?: readonly User[]): void {
  const naming = namingUser(channel.settings, user.id)
  if (naming.length === 0) return
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
