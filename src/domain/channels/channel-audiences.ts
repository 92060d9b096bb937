import { type Audience, EVERYONE } from '../../core/audience.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { ChannelGroupSettingName } from '../../permissions/group-settings.ts'
import { isGuest } from '../../permissions/roles.ts'
import { membersOfGroups } from '../user-groups/group-members.ts'
import { findUsers } from '../users/user-rows.ts'
import type { Channel } from './channel-rows.ts'

/** Groups that see a private channel without being subscribed (behaviour 0.7). */
const METADATA_SETTINGS: readonly ChannelGroupSettingName[] = [
  'can_administer_channel_group',
  'can_add_subscribers_group',
  'can_subscribe_group',
]

/**
 * Everybody who sees that the channel exists: the audience of its changes (events 1). Public channels:
 * non-guests and subscribers; private ones: subscribers, administrators and those with a grant.
 */
export function channelMetadataAudience(view: RealmView, channel: Channel): Audience {
  if (channel.isWebPublic) return EVERYONE
  if (!channel.isPrivate) return { roles: [100, 200, 300, 400], channel: channel.id }
  const granted = METADATA_SETTINGS.flatMap((name) => {
    const value = channel.settings[name]
    return typeof value === 'number'
      ? membersOfGroups(view.sql, [value], view.now)
      : [...value.direct_members, ...membersOfGroups(view.sql, value.direct_subgroups, view.now)]
  })
  return {
    roles: [100, 200],
    channel: channel.id,
    ...(granted.length > 0 ? { users: withoutGuests(view.sql, granted) } : {}),
  }
}

/** None of these settings can be given to everyone, so a guest has it not even when listed (behaviour 0.6). */
function withoutGuests(sql: Sql, ids: readonly number[]): number[] {
  return [...findUsers(sql, [...new Set(ids)]).values()].filter((user) => !isGuest(user)).map(({ id }) => id)
}
