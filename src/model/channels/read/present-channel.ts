import { defineReader } from '../../../core/reader.ts'
import type { RealmReads } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import type { StoredStreamEvent } from '../../../events/stream.ts'
import { postPolicy } from '../../../rules/group-setting-values.ts'
import { effectiveTopicsPolicy } from '../../../rules/topic-rules.ts'
import type { ChannelFolder } from '../../../store/channel-folders/channel-folder-rows.ts'
import { type Channel, listChannelsAfter } from '../../../store/channels/channel-rows.ts'
import { realmProperty } from '../../../store/realm/realm-setting-rows.ts'
import { presentGroupSettings } from '../../user-groups/present-user-group.ts'

/** Returns the channel object without personal fields. Source: docs/interface/channels.md#the-channel-object. */
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
    is_recently_active: channel.isRecentlyActive,
    is_archived: channel.isArchived,
    is_announcement_only: postPolicy(channel.settings.can_send_message_group) === 2,
    stream_post_policy: postPolicy(channel.settings.can_send_message_group),
    message_retention_days: channel.retentionDays,
    ...channel.properties,
    subscriber_count: facts.subscriberCount,
    stream_weekly_traffic: channel.weeklyTraffic,
    ...presentGroupSettings(sql, channel.settings),
  }
}

export type PresentedChannel = ReturnType<typeof presentChannel>

export function topicsPolicyIn(sql: Sql, { properties }: Channel) {
  return effectiveTopicsPolicy(properties.topics_policy, realmProperty(sql, 'topics_policy'))
}

/** Number of channels that are read together. */
const AT_A_TIME = 100
/** Work of reading a channel with its permissions, in rows. */
const WORK_OF_A_CHANNEL = 8

/** Every channel, archived ones included, by name. */
export const everyChannel = defineReader({
  name: 'channels',
  key: () => '',
  *read({ sql }) {
    const all: Channel[] = []
    for (;;) {
      const part = listChannelsAfter(sql, all.at(-1), AT_A_TIME)
      all.push(...part)
      if (part.length < AT_A_TIME) return all
      yield WORK_OF_A_CHANNEL * part.length
    }
  },
})

/** Lists every channel, by name, regardless of who may see it. */
export function allChannels(tx: Pick<RealmReads, 'use'>): readonly Channel[] {
  return tx.use(everyChannel, undefined)
}

/** Restricts an event to clients that know archived channels: for others they do not exist. */
export function onlyForThoseWhoSeeArchived(channel: {
  readonly isArchived: boolean
}): Pick<StoredStreamEvent, 'for_archived_channels'> {
  return channel.isArchived ? { for_archived_channels: 'yes' } : {}
}

/** Returns the folder object. Source: docs/interface/channels.md#channel-folders. */
export function presentFolder(folder: ChannelFolder) {
  return {
    id: folder.id,
    name: folder.name,
    order: folder.position,
    date_created: folder.createdAt,
    creator_id: folder.creatorId,
    description: folder.description,
    rendered_description: folder.renderedDescription,
    is_archived: folder.isArchived,
  }
}
