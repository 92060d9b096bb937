import { type Audience, type AudienceOfChannels, EVERYONE, NON_GUESTS } from '../../../core/audience.ts'
import { deploymentOf, type RequestSource } from '../../../core/call.ts'
import { IdSet } from '../../../core/id-set.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import type { CreationFacts } from '../../../rules/channel-setting-rules.ts'
import type { ChannelGroupSettingName } from '../../../rules/group-settings.ts'
import { ROLES } from '../../../rules/roles.ts'
import { systemGroupId } from '../../../rules/system-groups.ts'
import { type Channel, findChannels, hasWebPublicChannel } from '../../../store/channels/channel-rows.ts'
import { realmPermissions, realmProperty } from '../../../store/realm/realm-setting-rows.ts'
import { accountsWithRole } from '../../../store/users/account-set-rows.ts'
import { accountsInGroups, withSubgroups } from '../../user-groups/group-members.ts'

/** Permissions whose groups see a private channel without being subscribed. */
export const VISIBILITY_SETTINGS: readonly ChannelGroupSettingName[] = [
  'can_administer_channel_group',
  'can_add_subscribers_group',
  'can_subscribe_group',
]

/**
 * Returns everyone who sees that the channel exists: the audience of its changes (docs/interface/events.md#who-gets-an-event). Public
 * channels: non-guests and subscribers; private ones: subscribers, administrators and those with a grant.
 */
export function channelMetadataAudience(view: Pick<RealmView, 'sql' | 'now'>, channel: Channel): Audience {
  if (channel.isWebPublic) return EVERYONE
  return { ...whoSeesAll(view, channel), channel: channel.id }
}

/** Returns the same for many channels, with one part for all channels that the same users see without being subscribed. */
export function channelMetadataAudiences(
  view: Pick<RealmView, 'sql' | 'now'>,
  channelIds: readonly number[],
): AudienceOfChannels[] {
  const alike = findChannels(view.sql, channelIds).map((channel) => ({
    ...whoSeesAll(view, channel),
    channels: [channel.id],
  }))
  // The people of the same groups are the same list in memory.
  const lists = new Map<readonly number[] | undefined, number>()
  const numbered = (users: readonly number[] | undefined) => {
    lists.set(users, lists.get(users) ?? lists.size)
    return lists.get(users)
  }
  const same = Map.groupBy(alike, ({ roles, users }) => `${roles} ${numbered(users)}`)
  return [...same.values()].map((parts) => ({
    ...parts[0]!,
    channels: parts.flatMap(({ channels }) => channels),
  }))
}

/** Returns those who see that the channel exists without being subscribed; closed accounts may be among them. */
export function whoSeesAll(
  view: Pick<RealmView, 'sql' | 'now'>,
  channel: Channel,
): Pick<Audience, 'users' | 'roles'> {
  if (channel.isWebPublic) return EVERYONE
  if (!channel.isPrivate) return NON_GUESTS
  const values = VISIBILITY_SETTINGS.map((name) => channel.settings[name])
  const groups = values.flatMap((value) => (typeof value === 'number' ? [value] : value.direct_subgroups))
  const listed = values.flatMap((value) => (typeof value === 'number' ? [] : value.direct_members))
  const others = groups.filter((id) => !ROLES_OF_GROUP.has(id))
  const users = nonGuestsOf(view, listed, others)
  const roles = groups.flatMap((id) => ROLES_OF_GROUP.get(id) ?? [])
  return {
    roles: [...new Set([100, 200, ...roles])],
    ...(users.length > 0 ? { users } : {}),
  }
}

/** Groups that are named as roles, so that no event lists half the organization. */
const ROLES_OF_GROUP: ReadonlyMap<number, readonly number[]> = new Map([
  [systemGroupId('role:nobody'), []],
  [systemGroupId('role:owners'), [100]],
  [systemGroupId('role:administrators'), [100, 200]],
  [systemGroupId('role:moderators'), [100, 200, 300]],
  [systemGroupId('role:members'), [100, 200, 300, 400]],
])

/**
 * Returns the listed users and the accounts in the groups, without guests: none of these permissions can be given to everyone, so guests do
 * not have them even when listed (docs/interface/access.md#permission-values). Many channels name the same people, so the result is kept.
 */
function nonGuestsOf(
  view: Pick<RealmView, 'sql' | 'now'>,
  listed: readonly number[],
  groupIds: readonly number[],
): readonly number[] {
  if (listed.length + groupIds.length === 0) return []
  const { sql, now } = view
  const isByAge = withSubgroups(sql, groupIds).has(systemGroupId('role:fullmembers'))
  const named = `${listed.join()} and of groups ${groupIds.join()}${isByAge ? ` at ${now}` : ''}`
  return sql.kept(`non-guests of ${named}`, () =>
    IdSet.of(listed)
      .or(accountsInGroups({ sql, now }, groupIds))
      .andNot(accountsWithRole(sql, ROLES.guest))
      .toArray(),
  )
}

/** Returns facts about the organization for the rules of creating a channel. */
export function creationFacts(sql: Sql, source: RequestSource): CreationFacts {
  return { ...realmPermissions(sql), isWebPublicEnabled: areWebPublicChannelsEnabled(sql, source) }
}

/** Whether both the deployment and the organization allow channels that can be read without an account. */
function areWebPublicChannelsEnabled(sql: Sql, source: RequestSource): boolean {
  return deploymentOf(source).allowsWebPublic && realmProperty(sql, 'enable_spectator_access')
}

/** Whether anything in the organization can be read without an account (docs/interface/visitors.md#when). */
export function isOpenToTheWeb(sql: Sql, source: RequestSource): boolean {
  return areWebPublicChannelsEnabled(sql, source) && hasWebPublicChannel(sql)
}
