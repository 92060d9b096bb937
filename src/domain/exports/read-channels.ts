import type { Sql } from '../../core/sql.ts'
import { type Channel, findChannel } from '../channels/channel-rows.ts'
import { presentChannel } from '../channels/read/present-channel.ts'
import { type ListedTopic, topicsOfChannel, topicsReceivedByAny } from '../messages/channel-topic-rows.ts'
import { presentPersonalSettings } from '../subscriptions/present-subscription.ts'
import { subscriberIds, subscriptionsAmong } from '../subscriptions/subscription-rows.ts'
import { idsAfter, subscribersAfter } from './export-page-rows.ts'
import type { ExportScope } from './export-scope.ts'
import type { ExportSource, ExportView } from './export-source.ts'

const CHANNELS_PER_PAGE = 100
/** Number of subscribers that are counted, after which a page ends with the current channel. */
const COUNTED_PER_PAGE = 10_000
const SUBSCRIPTIONS_PER_PAGE = 2_000
/** Number of topics after which a page ends with the current channel. */
const TOPICS_PER_PAGE = 500

/** Channels as in GET /streams, archived ones too. */
export const channelsSource: ExportSource = {
  name: 'channels',
  read(view, [after = 0]) {
    const { sql } = view.tx
    const { ids, channels } = channelsAfter(view, after)
    const streams: object[] = []
    let counted = 0
    let last = ids.at(-1)
    for (const channel of channels) {
      const subscriberCount = subscriberIds(sql, channel.id).length
      streams.push(presentChannel(sql, channel, { subscriberCount }))
      counted += subscriberCount
      if (counted < COUNTED_PER_PAGE) continue
      last = channel.id
      break
    }
    return { kind: 'json', content: streams.length > 0 ? { streams } : null, next: afterChannels(ids, last) }
  },
}

/** Subscriptions to channels; for users who consent also their own settings of each. */
export const subscriptionsSource: ExportSource = {
  name: 'subscriptions',
  read({ tx: { sql }, scope }, [channelId = 0, userId = 0]) {
    const page = subscribersAfter(sql, channelId, userId, SUBSCRIPTIONS_PER_PAGE)
    const subscriptions = [...Map.groupBy(page, (row) => row.channelId)].flatMap(([id, rows]) => {
      const userIds = rows.map((row) => row.userId)
      return scope.includesChannel(findChannel(sql, id)!) ? presentSubscribers(sql, scope, id, userIds) : []
    })
    const last = page.at(-1)
    return {
      kind: 'json',
      content: subscriptions.length > 0 ? { subscriptions } : null,
      next: last && page.length === SUBSCRIPTIONS_PER_PAGE ? [last.channelId, last.userId] : null,
    }
  },
}

function presentSubscribers(sql: Sql, scope: ExportScope, channelId: number, userIds: readonly number[]) {
  const consenting = userIds.filter((id) => scope.consenting.has(id))
  const personal = subscriptionsAmong(sql, channelId, consenting)
  return userIds.map((userId) => {
    const subscription = personal.get(userId)
    return {
      stream_id: channelId,
      user_id: userId,
      ...(subscription ? presentPersonalSettings(subscription) : {}),
    }
  })
}

/** Topics with messages, as in GET /users/me/{stream_id}/topics, each with its channel. */
export const topicsSource: ExportSource = {
  name: 'topics',
  read(view, [after = 0]) {
    const { ids, channels } = channelsAfter(view, after)
    const topics: object[] = []
    let last = ids.at(-1)
    for (const channel of channels) {
      for (const { name, newestMessageId } of includedTopics(view, channel)) {
        topics.push({ stream_id: channel.id, name, max_id: newestMessageId })
      }
      if (topics.length < TOPICS_PER_PAGE) continue
      last = channel.id
      break
    }
    return { kind: 'json', content: topics.length > 0 ? { topics } : null, next: afterChannels(ids, last) }
  },
}

function includedTopics({ tx: { sql }, scope }: ExportView, channel: Channel): ListedTopic[] {
  if (!channel.isPrivate || channel.historyPublicToSubscribers) return topicsOfChannel(sql, channel.id)
  return topicsReceivedByAny(sql, scope.readersOf(channel.id), channel.id, scope.rangesOf(channel.id))
}

/** Returns where the next page begins, after one that ends with the channel `last`. */
function afterChannels(ids: readonly number[], last: number | undefined): number[] | null {
  const isEnd = last === ids.at(-1) && ids.length < CHANNELS_PER_PAGE
  return isEnd || last === undefined ? null : [last]
}

/** Returns the ids of a page, and those of its channels that belong to the export. */
function channelsAfter({ tx: { sql }, scope }: ExportView, after: number) {
  const ids = idsAfter(sql, 'channel', after, CHANNELS_PER_PAGE)
  const channels = ids.map((id) => findChannel(sql, id)!).filter((channel) => scope.includesChannel(channel))
  return { ids, channels }
}
