import { ENTRIES_AT_ONCE, PAGE_OF_ROWS } from '../../core/budgets.ts'
import type { Sql } from '../../core/sql.ts'
import { type Channel, findChannel } from '../../store/channels/channel-rows.ts'
import { idsAfter, subscribersAfter } from '../../store/exports/collecting-rows.ts'
import {
  ABOVE_ALL,
  type LimitsOfTopics,
  type PlaceInTopics,
  placeAfter,
  topicsOfChannelAfter,
  topicsReceivedByAny,
} from '../../store/messages/channel-topic-rows.ts'
import { openSubscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { subscriptionsAmong } from '../../store/subscriptions/subscription-rows.ts'
import { presentChannel } from '../channels/read/present-channel.ts'
import { presentPersonalSettings } from '../subscriptions/present-subscription.ts'
import { type ExportScope, type ExportSource, type ExportView, ROWS_PER_PAGE } from './export-source.ts'

const CHANNELS_PER_PAGE = 100
/** Channels as in GET /streams, archived ones too. */
export const channelsSource: ExportSource = {
  name: 'channels',
  read(view, [after = 0]) {
    const { sql } = view.tx
    const streams: object[] = []
    const next = readChannels(view, after, (channel) => {
      const subscriberCount = openSubscribersOf(sql, channel.id).size
      streams.push(presentChannel(sql, channel, { subscriberCount }))
      return false
    })
    return { kind: 'json', content: streams.length > 0 ? { streams } : null, next }
  },
}

/** Subscriptions to channels, with the personal settings of consenting users. */
export const subscriptionsSource: ExportSource = {
  name: 'subscriptions',
  read({ tx: { sql }, scope }, [channelId = 0, userId = 0]) {
    const page = subscribersAfter(sql, channelId, userId, ENTRIES_AT_ONCE)
    const subscriptions = [...Map.groupBy(page, (row) => row.channelId)].flatMap(([id, rows]) => {
      const userIds = rows.map((row) => row.userId)
      return scope.includesChannel(findChannel(sql, id)!) ? presentSubscribers(sql, scope, id, userIds) : []
    })
    const last = page.at(-1)
    return {
      kind: 'json',
      content: subscriptions.length > 0 ? { subscriptions } : null,
      next: last && page.length === ENTRIES_AT_ONCE ? [last.channelId, last.userId] : null,
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

/**
 * Topics with messages, as in GET /users/me/{stream_id}/topics, each with its channel. A channel may have tens of
 * thousands of topics, so a page may end within one, at the key of a topic.
 */
export const topicsSource: ExportSource = {
  name: 'topics',
  read(view, [after = 0, topicId = 0, below = ABOVE_ALL], key) {
    const topics: object[] = []
    let within: { readonly channelId: number; readonly place: PlaceInTopics } | undefined
    const next = readChannels(view, after, (channel) => {
      // Continues within the channel in which the previous page ended, unless it is gone.
      const from = channel.id === after + 1 ? { after: key, topicId, below } : placeAfter(undefined)
      const limits = { topics: PAGE_OF_ROWS - topics.length, rows: ROWS_PER_PAGE }
      const read = includedTopics(view, channel, from, limits)
      for (const { name, newestMessageId } of read.topics) {
        topics.push({ stream_id: channel.id, name, max_id: newestMessageId })
      }
      within = read.next ? { channelId: channel.id, place: read.next } : undefined
      return within !== undefined || topics.length >= PAGE_OF_ROWS
    })
    const content = topics.length > 0 ? { topics } : null
    if (!within) return { kind: 'json', content, next }
    const { channelId, place } = within
    const cursor = [channelId - 1, place.topicId, place.below]
    return { kind: 'json', content, next: cursor, nextName: place.after }
  },
}

function includedTopics(
  { tx: { sql }, scope }: ExportView,
  channel: Channel,
  from: PlaceInTopics,
  limits: LimitsOfTopics,
): ReturnType<typeof topicsReceivedByAny> {
  const { id } = channel
  if (scope.includesHistory(channel)) {
    const { topics, next } = topicsOfChannelAfter(sql, id, from.after, limits.topics)
    return { topics, next: next === undefined ? null : placeAfter(next) }
  }
  const received = { userIds: new Set(scope.readersOf(id)), ranges: scope.rangesOf(id) }
  return topicsReceivedByAny(sql, id, received, from, limits)
}

/**
 * Reads the channels of the export after an id, until `read` says that the page is full, or enough rows were read: it may
 * take ten thousand subscribers to say whether a channel belongs to the export. Returns where the next page begins.
 */
function readChannels(
  { tx: { sql }, scope }: ExportView,
  after: number,
  read: (channel: Channel) => boolean,
): number[] | null {
  const before = sql.counts.read
  const ids = idsAfter(sql, 'channel', after, CHANNELS_PER_PAGE)
  for (const id of ids) {
    const channel = findChannel(sql, id)!
    const isFull = scope.includesChannel(channel) && read(channel)
    if (isFull || sql.counts.read - before >= ROWS_PER_PAGE) return [id]
  }
  return ids.length < CHANNELS_PER_PAGE ? null : [ids.at(-1)!]
}
