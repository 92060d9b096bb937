import { IdSet } from '../../core/id-set.ts'
import { chunksOfJson } from '../../core/parts-of-lists.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { channelRecipientId } from '../../core/recipient-id.ts'
import type { StoredStreamEvent } from '../../events/stream.ts'
import type { StoredSubscriptionEvent, SubscriptionReceivers } from '../../events/subscription.ts'
import { mayAccessChannelMetadata } from '../../rules/channel-rules.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import type { ChannelMembers } from '../../store/subscriptions/subscriber-rows.ts'
import { openSubscribersOf, subscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import {
  type BegunSubscription,
  beginSubscriptions,
  colorsUsedBy,
  type Subscription,
  subscribersBySettings,
  subscriptionsAmong,
} from '../../store/subscriptions/subscription-rows.ts'
import { findUsers, type User } from '../../store/users/user-rows.ts'
import { callForJoining } from '../bots/enqueue-calls.ts'
import { actorOf } from '../caller.ts'
import {
  onlyForThoseWhoSeeArchived,
  type PresentedChannel,
  presentChannel,
} from '../channels/read/present-channel.ts'
import {
  withVisibilityEventsOfNewUser,
  withVisibilityEventsOfSubscribing,
} from '../visibility/users-that-a-user-sees.ts'
import { announcePeers, groupByChannels } from './announce-peers.ts'
import { nextColor } from './colors.ts'
import { inheritedSettings, presentPersonalSettings, presentPosition } from './present-subscription.ts'

/** Subscribes users to channels, with all events. Returns the users who were not subscribed before. `causeId`: the user who subscribes them. */
export function joinAndAnnounce(
  tx: RealmTransaction,
  wanted: readonly ChannelToJoin[],
  causeId: number,
): ChannelMembers[] {
  return withVisibilityEventsOfSubscribing(tx, wanted, () => {
    const joined = joinChannels(tx, wanted)
    announceSubscriptions(tx, joined)
    callForJoining(tx, joined, causeId)
    return joined
  })
}

/** Subscribes an account that this commit makes, and notifies the others: the account has no queue yet for events of its own. */
export function joinAsNewUser(tx: RealmTransaction, userId: number, channels: readonly Channel[]): void {
  const wanted = channels.map((channel) => ({ channel, userIds: [userId] }))
  withVisibilityEventsOfNewUser(tx, wanted, () => announcePeers(tx, 'peer_add', joinChannels(tx, wanted)))
}

/** A joined channel with everything that its events need, once for all who joined. */
interface JoinedChannel extends ChannelMembers {
  readonly presented: PresentedChannel
  readonly subscribers: readonly number[]
  readonly subscriptions: ReadonlyMap<number, Subscription>
}

/**
 * Emits the events of new subscriptions: the channel to users who could not see it before, all new subscriptions of a user
 * in one event, and the peers. Users who joined the same channels share events, so that the log does not grow with their
 * number. Source: docs/interface/subscriptions.md#events-of-subscribing.
 */
function announceSubscriptions(tx: RealmTransaction, joinings: readonly ChannelMembers[]): void {
  const joined = withFacts(
    tx,
    joinings.filter(({ userIds }) => userIds.length > 0),
  )
  const users = findUsers(tx.sql, [...new Set(joined.flatMap(({ userIds }) => userIds))])
  const groups = groupByChannels(joined).map(({ changes, userIds }) => ({
    channels: changes,
    members: userIds.map((id) => users.get(id)!),
  }))
  for (const { channels, members } of groups) announceNewlyVisible(tx, members, channels)
  for (const { channels, members } of groups) emitAdd(tx, members, channels)
  announcePeers(tx, 'peer_add', joined)
}

/** Announces an unarchived channel to clients that do not know archived ones: to them the channel and its subscriptions are new. */
export function announceReturn(tx: RealmTransaction, channel: Channel): void {
  const subscribers = openSubscribersOf(tx.sql, channel.id).toArray()
  if (subscribers.length === 0) return
  const presented = presentChannel(tx.sql, channel, { subscriberCount: subscribers.length })
  const receivers = subscribersBySettings(tx.sql, channel.id).map(({ userIds, subscription, settings }) => ({
    users: userIds,
    personal: [presentPersonalSettings(subscription)],
    inherited: inheritedSettings({ settings }),
  }))
  const event: StoredSubscriptionEvent = {
    type: 'subscription',
    op: 'add',
    subscriptions: [{ ...presented, subscribers }],
    receivers: mergeReceivers(receivers),
    for_archived_channels: 'no',
  }
  tx.emit(event, { users: subscribers })
}

function withFacts({ sql }: RealmReads, joinings: readonly ChannelMembers[]): JoinedChannel[] {
  return joinings.map(({ channel, userIds }) => {
    const subscribers = openSubscribersOf(sql, channel.id).toArray()
    return {
      channel,
      userIds,
      subscribers,
      presented: presentChannel(sql, channel, { subscriberCount: subscribers.length }),
      subscriptions: subscriptionsAmong(sql, channel.id, userIds),
    }
  })
}

/** Announces channels that only subscribers see; their events come before the subscription's. */
function announceNewlyVisible(
  tx: RealmTransaction,
  members: readonly User[],
  channels: readonly JoinedChannel[],
): void {
  const unseenBy = (user: User): JoinedChannel[] => {
    const actor = actorOf(tx.sql, user, tx.now)
    return channels.filter(({ channel }) => !mayAccessChannelMetadata(actor, channel, false))
  }
  const visibility = members.map((user) => ({ user, unseen: unseenBy(user) }))
  const groups = Map.groupBy(visibility, ({ unseen }) => unseen.map(({ channel }) => channel.id).join())
  for (const group of groups.values()) {
    const users = group.map(({ user }) => user.id)
    for (const unseen of Map.groupBy(group[0]!.unseen, ({ channel }) => channel.isArchived).values()) {
      for (const streams of chunksOfJson(unseen.map(({ presented }) => presented))) {
        const event: StoredStreamEvent = {
          type: 'stream',
          op: 'create',
          streams,
          ...onlyForThoseWhoSeeArchived(unseen[0]!.channel),
        }
        tx.emit(event, { users })
      }
    }
  }
}

/** Emits the `add` of subscriptions, in several events where many channels have many subscribers. */
function emitAdd(tx: RealmTransaction, members: readonly User[], joined: readonly JoinedChannel[]): void {
  for (const channels of chunksOfJson(joined)) {
    const event: StoredSubscriptionEvent = {
      type: 'subscription',
      op: 'add',
      subscriptions: channels.map(({ presented, subscribers }) => ({ ...presented, subscribers })),
      receivers: receiversOf(members, channels),
    }
    tx.emit(event, { users: members.map(({ id }) => id) })
  }
}

function receiversOf(members: readonly User[], channels: readonly JoinedChannel[]): SubscriptionReceivers[] {
  const receivers = members.map((user) => ({
    users: [user.id],
    personal: channels.map(({ subscriptions }) => presentPersonalSettings(subscriptions.get(user.id)!)),
    inherited: inheritedSettings(user),
  }))
  return mergeReceivers(receivers)
}

/** Merges receivers with the same settings, as most have. */
function mergeReceivers(receivers: readonly SubscriptionReceivers[]): SubscriptionReceivers[] {
  const groups = Map.groupBy(receivers, ({ inherited, personal }) => JSON.stringify([inherited, personal]))
  return [...groups.values()].map((group) => ({
    ...group[0]!,
    users: group.flatMap(({ users }) => users).sort((a, b) => a - b),
  }))
}

/** Users to subscribe to a channel; `color` is normalised. */
interface ChannelToJoin extends ChannelMembers {
  readonly color?: string | undefined
}

/** Subscribes users to one channel, as `joinChannels` does. */
export function joinChannel(
  tx: RealmTransaction,
  channel: Channel,
  userIds: readonly number[],
  color?: string,
): ChannelMembers {
  return joinChannels(tx, [{ channel, userIds, color }])[0]!
}

/**
 * Subscribes users to different channels by one statement, without events. Returns the users who were not subscribed before. Their periods
 * begin after the events emitted so far. Users who come back get their former colour, others the requested one, or an unused one.
 */
function joinChannels(tx: RealmTransaction, wanted: readonly ChannelToJoin[]): ChannelMembers[] {
  const joined = wanted.map(({ channel, userIds, color }) => {
    const before = subscriptionsAmong(tx.sql, channel.id, userIds)
    const joining = IdSet.of(userIds).andNot(subscribersOf(tx.sql, channel.id)).toArray()
    return { channel, userIds: joining, color, before }
  })
  const choosing = joined.filter(({ color }) => color === undefined)
  const newMembers = choosing.flatMap(({ userIds, before }) => userIds.filter((id) => !before.has(id)))
  const inUse = colorsUsedBy(tx.sql, [...new Set(newMembers)])
  const begun = joined.flatMap(({ channel, userIds, color, before }) =>
    userIds.map((userId): BegunSubscription => {
      const used = inUse.get(userId) ?? []
      const former = before.get(userId)?.color
      const own = former ?? color ?? nextColor(used, channelRecipientId(channel.id))
      if (former === undefined) used.push(own)
      return [channel.id, userId, own, channel.properties.default_push_notifications ? 1 : null]
    }),
  )
  beginSubscriptions(tx.sql, begun, presentPosition(tx))
  return joined
}
