import type { Sql } from '../../../core/sql.ts'
import type { GroupSettingValue } from '../../../rules/group-setting-values.ts'
import { postPolicy } from '../../../rules/legacy-policies.ts'
import type { Channel } from '../../../store/channels/channel-rows.ts'
import { presentGroupSetting } from '../../user-groups/present-group-setting.ts'

/**
 * Returns the channel object without personal fields. Source: docs/interface/channels.md#the-channel-object.
 */
export function presentChannel(sql: Sql, channel: Channel, facts: { subscriberCount: number }) {
  return {
    stream_id: channel.id,
    name: channel.name,
    description: channel.description,
    rendered_description: channel.renderedDescription,
    date_created: channel.createdAt,
    creator_id: channel.creatorId,
    invite_only: channel.isPrivate,
    is_web_public: channel.isWebPublic,
    history_public_to_subscribers: channel.historyPublicToSubscribers,
    first_message_id: channel.firstMessageId,
    folder_id: channel.folderId,
    default_push_notifications: channel.pushesByDefault,
    is_recently_active: channel.isRecentlyActive,
    is_archived: channel.isArchived,
    is_announcement_only: postPolicy(channel.settings.can_send_message_group) === 2,
    stream_post_policy: postPolicy(channel.settings.can_send_message_group),
    message_retention_days: channel.retentionDays,
    topics_policy: channel.topicsPolicy,
    subscriber_count: facts.subscriberCount,
    stream_weekly_traffic: channel.weeklyTraffic,
    ...presentChannelPermissions(sql, channel),
  }
}

export type PresentedChannel = ReturnType<typeof presentChannel>

function presentChannelPermissions(sql: Sql, { settings }: Channel) {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, presentGroupSetting(sql, value)]),
  ) as { readonly [Name in keyof Channel['settings']]: GroupSettingValue }
}
