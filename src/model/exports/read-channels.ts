import { givenProperties } from '../../core/channel-properties.ts'
import type { Sql } from '../../core/sql.ts'
import type { ChannelMember, NeutralRecord } from '../../imports/neutral.ts'
import { type Channel, findChannel } from '../../store/channels/channel-rows.ts'
import { listPins } from '../../store/channels/pin-rows.ts'
import { idsAfter } from '../../store/exports/collecting-rows.ts'
import { topicsById } from '../../store/messages/topic-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { openSubscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { type Subscription, subscriptionsAmong } from '../../store/subscriptions/subscription-rows.ts'
import { presentGroupSettings } from '../user-groups/present-user-group.ts'
import { type ExportScope, type ExportSource, ROWS_PER_PAGE } from './export-source.ts'
import { permissionsIn } from './organization-records.ts'

const CHANNELS_PER_PAGE = 100

/**
 * Channels with their subscribers, archived ones too. A page ends when enough rows were read: it may take ten thousand subscribers to say
 * whether a channel belongs to the export.
 */
export const channelsSource: ExportSource = {
  name: 'channels',
  read({ tx: { sql }, scope }, [after = 0]) {
    const records: NeutralRecord[] = []
    const ids = idsAfter(sql, 'channel', after, CHANNELS_PER_PAGE)
    const before = sql.counts.read
    let members = 0
    for (const id of ids) {
      const channel = findChannel(sql, id)!
      if (scope.includesChannel(channel)) {
        const those = membersOf(sql, scope, id)
        members += those.length
        records.push(channelRecord(sql, channel, those), ...pinRecords(sql, id))
      }
      if (sql.counts.read - before + members >= ROWS_PER_PAGE) return { kind: 'records', records, next: [id] }
    }
    return { kind: 'records', records, next: ids.length < CHANNELS_PER_PAGE ? null : [ids.at(-1)!] }
  },
}

function channelRecord(sql: Sql, channel: Channel, members: ChannelMember[]): NeutralRecord {
  const { id, name, description, isPrivate, createdAt, creatorId, folderId, retentionDays } = channel
  return {
    type: 'channel',
    id: String(id),
    name,
    description,
    privacy: isPrivate ? 'private' : channel.isWebPublic ? 'web_public' : 'public',
    history_public: !isPrivate || channel.historyPublicToSubscribers,
    archived: channel.isArchived,
    ...(folderId !== null && { folder: String(folderId) }),
    ...(createdAt > 0 && { created_ms: createdAt * 1_000 }),
    ...(creatorId !== null && { creator: String(creatorId) }),
    members,
    default: channel.isDefault && !channel.isArchived,
    announce: realmProperty(sql, 'new_stream_announcements_stream_id') === id,
    ...givenProperties(channel.properties),
    ...(retentionDays !== null && { retention_days: retentionDays }),
    permissions: permissionsIn(presentGroupSettings(sql, channel.settings)),
  }
}

/** Returns what is pinned in a channel, the oldest pin first. */
function pinRecords(sql: Sql, channelId: number): NeutralRecord[] {
  const pins = listPins(sql, channelId).toReversed()
  const topics = topicsById(
    sql,
    pins.flatMap(({ topicId }) => topicId ?? []),
  )
  return pins.map(({ messageId, topicId, pinnedBy, pinnedAt }) => ({
    type: 'pin',
    channel: String(channelId),
    ...(messageId === null ? { topic: topics.get(topicId!)!.name } : { message: String(messageId) }),
    user: String(pinnedBy),
    time_ms: pinnedAt * 1_000,
  }))
}

/** Returns the subscribers, with the personal settings of consenting users. */
function membersOf(sql: Sql, scope: ExportScope, channelId: number): ChannelMember[] {
  const userIds = openSubscribersOf(sql, channelId).toArray()
  const consenting = userIds.filter((id) => scope.consenting.has(id))
  const personal = subscriptionsAmong(sql, channelId, consenting)
  return userIds.map((id) => {
    const subscription = personal.get(id)
    return { user: String(id), ...(subscription && choicesOf(subscription)) }
  })
}

function choicesOf(subscription: Subscription): Omit<ChannelMember, 'user'> {
  const choices = {
    desktop: subscription.desktopNotifications,
    audible: subscription.audibleNotifications,
    push: subscription.pushNotifications,
    email: subscription.emailNotifications,
    wildcard_mentions: subscription.wildcardMentionsNotify,
  }
  const notifications = Object.entries(choices).filter(([, chosen]) => chosen !== null)
  return {
    color: subscription.color,
    ...(subscription.isMuted && { muted: true }),
    ...(subscription.pinToTop && { pinned: true }),
    ...(notifications.length > 0 && { notifications: Object.fromEntries(notifications) }),
  }
}
