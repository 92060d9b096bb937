import { NON_GUESTS } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredStreamEvent } from '../../events/stream.ts'
import type { StoredSubscriptionEvent, SubscriptionReceivers } from '../../events/subscription.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import { actorOf } from '../caller.ts'
import { onlyForThoseWhoSeeArchived } from '../channels/archived-channels.ts'
import { channelMetadataAudience } from '../channels/channel-audiences.ts'
import { type PresentedChannel, presentChannel } from '../channels/present-channel.ts'
import { findUsers, type User } from '../users/user-rows.ts'
import type { Joining } from './join-channels.ts'
import { inheritedSettings, presentPersonalSettings } from './present-subscription.ts'
import {
  guestSubscriberIds,
  type Subscription,
  subscriberIds,
  subscriptionsAmong,
} from './subscription-rows.ts'

/** A joined channel with all that its events need, made once for all who joined. */
interface JoinedChannel extends Joining {
  readonly presented: PresentedChannel
  readonly subscribers: readonly number[]
  readonly subscriptions: ReadonlyMap<number, Subscription>
}

/**
 * Tells of new subscriptions: the channel to those who could not see it before, all new subscriptions
 * to each user in one event, and the peers. Users who joined the same channels share their events, so
 * that the log does not grow with their number. Source: behaviour 4.3, events 3 to 5.
 */
export function announceSubscriptions(tx: RealmTransaction, joinings: readonly Joining[]): void {
  const joined = joinings.filter(({ userIds }) => userIds.length > 0).map((one) => withFacts(tx, one))
  const users = findUsers(tx.sql, [...new Set(joined.flatMap(({ userIds }) => userIds))])
  const groups = groupByChannels(joined, [...users.values()])
  for (const { channels, members } of groups) announceNewSight(tx, members, channels)
  for (const { channels, members } of groups) emitAdd(tx, members, channels)
  emitPeerAdd(tx, joined)
}

function withFacts(tx: RealmTransaction, joining: Joining): JoinedChannel {
  const subscribers = subscriberIds(tx.sql, joining.channel.id)
  return {
    ...joining,
    subscribers,
    presented: presentChannel(tx.sql, joining.channel, { now: tx.now, subscriberCount: subscribers.length }),
    subscriptions: subscriptionsAmong(tx.sql, joining.channel.id, joining.userIds),
  }
}

interface SameChannels {
  readonly channels: readonly JoinedChannel[]
  readonly members: readonly User[]
}

function groupByChannels(joined: readonly JoinedChannel[], users: readonly User[]): SameChannels[] {
  const channelsOf = new Map<number, JoinedChannel[]>(users.map(({ id }) => [id, []]))
  for (const channel of joined) {
    for (const userId of channel.userIds) channelsOf.get(userId)?.push(channel)
  }
  const keyOf = ({ id }: User) =>
    channelsOf
      .get(id)!
      .map(({ channel }) => channel.id)
      .join()
  return [...Map.groupBy(users, keyOf).values()].map((members) => ({
    members,
    channels: channelsOf.get(members[0]!.id)!,
  }))
}

/** Channels that a user could not see without being subscribed (events 4: always before the subscription). */
function announceNewSight(
  tx: RealmTransaction,
  members: readonly User[],
  channels: readonly JoinedChannel[],
): void {
  const unseenBy = (user: User): JoinedChannel[] => {
    const actor = actorOf(tx.sql, user, tx.now)
    return channels.filter(({ channel }) => !mayAccessChannelMetadata(actor, channel, false))
  }
  const sights = members.map((user) => ({ user, unseen: unseenBy(user) }))
  const groups = Map.groupBy(sights, ({ unseen }) => unseen.map(({ channel }) => channel.id).join())
  for (const group of groups.values()) {
    const users = group.map(({ user }) => user.id)
    for (const unseen of Map.groupBy(group[0]!.unseen, ({ channel }) => channel.isArchived).values()) {
      const event: StoredStreamEvent = {
        type: 'stream',
        op: 'create',
        streams: unseen.map(({ presented }) => presented),
        ...onlyForThoseWhoSeeArchived(unseen[0]!.channel),
      }
      tx.emit(event, { users })
    }
  }
}

function emitAdd(tx: RealmTransaction, members: readonly User[], channels: readonly JoinedChannel[]): void {
  const event: StoredSubscriptionEvent = {
    type: 'subscription',
    op: 'add',
    subscriptions: channels.map(({ presented, subscribers }) => ({ ...presented, subscribers })),
    receivers: receiversOf(members, channels),
  }
  tx.emit(event, { users: members.map(({ id }) => id) })
}

/** Most newcomers have the same settings, so they are told together. */
function receiversOf(members: readonly User[], channels: readonly JoinedChannel[]): SubscriptionReceivers[] {
  const own = members.map((user) => ({
    user,
    inherited: inheritedSettings(user),
    personal: channels.map(({ subscriptions }) => presentPersonalSettings(subscriptions.get(user.id)!)),
  }))
  const groups = Map.groupBy(own, ({ inherited, personal }) => JSON.stringify([inherited, personal]))
  return [...groups.values()].map((group) => ({
    users: group.map(({ user }) => user.id),
    personal: group[0]!.personal,
    inherited: group[0]!.inherited,
  }))
}

/** One event for one user in several public channels; else one for each channel (behaviour 4.3). */
function emitPeerAdd(tx: RealmTransaction, joined: readonly JoinedChannel[]): void {
  const everyUser = [...new Set(joined.flatMap(({ userIds }) => userIds))]
  const shared = joined.filter(({ channel }) => !channel.isPrivate && !channel.isWebPublic)
  const together = everyUser.length === 1 && shared.length > 1 ? shared : []
  if (together.length > 0) {
    const ids = together.map(({ channel }) => channel.id)
    tx.emit(peerAdd(ids, everyUser), { ...NON_GUESTS, except: everyUser })
    for (const { channel } of together) {
      const guests = guestSubscriberIds(tx.sql, channel.id).filter((id) => !everyUser.includes(id))
      if (guests.length > 0) tx.emit(peerAdd([channel.id], everyUser), { users: guests })
    }
  }
  for (const { channel, userIds } of joined.filter((one) => !together.includes(one))) {
    tx.emit(peerAdd([channel.id], userIds), { ...channelMetadataAudience(tx, channel), except: userIds })
  }
}

function peerAdd(streamIds: readonly number[], userIds: readonly number[]): StoredSubscriptionEvent {
  return { type: 'subscription', op: 'peer_add', stream_ids: streamIds, user_ids: userIds }
}
