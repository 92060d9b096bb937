import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import { isGuest } from '../../permissions/roles.ts'
import { actorOf } from '../caller.ts'
import { channelMetadataAudience } from '../channels/channel-audiences.ts'
import type { Channel } from '../channels/channel-rows.ts'
import { presentChannel } from '../channels/present-channel.ts'
import { findUsers, type User } from '../users/user-rows.ts'
import { inheritedSettings, presentSubscription } from './present-subscription.ts'
import { findSubscription, subscriberIds } from './subscription-rows.ts'

/** Users newly subscribed to a channel. */
export interface Joining {
  readonly channel: Channel
  readonly userIds: readonly number[]
}

/**
 * Tells of new subscriptions: the channel to those who could not see it before, all new subscriptions
 * to each user in one event, and the peers. Source: behaviour 4.3, events 3 to 5.
 */
export function announceSubscriptions(tx: RealmTransaction, joinings: readonly Joining[]): void {
  const joined = joinings.filter(({ userIds }) => userIds.length > 0)
  const channels = joined.map(({ channel }) => channel)
  const subscribers = new Map(channels.map(({ id }) => [id, subscriberIds(tx.sql, id)]))
  const users = findUsers(tx.sql, [...new Set(joined.flatMap(({ userIds }) => userIds))])
  for (const user of users.values()) {
    const gained = joined.filter(({ userIds }) => userIds.includes(user.id)).map(({ channel }) => channel)
    announceNewSight(tx, user, gained)
    emitAdd(tx, user, gained, subscribers)
  }
  emitPeerAdd(tx, joined)
}

/** Channels that the user could not see without being subscribed (events 4: always before the subscription). */
function announceNewSight(tx: RealmTransaction, user: User, gained: readonly Channel[]): void {
  const actor = actorOf(tx.sql, user, tx.now)
  const unseen = gained.filter((channel) => !mayAccessChannelMetadata(actor, channel, false))
  if (unseen.length === 0) return
  const streams = unseen.map((channel) => present(tx, channel))
  tx.emit({ type: 'stream', op: 'create', streams } as never, { users: [user.id] })
}

function emitAdd(
  tx: RealmTransaction,
  user: User,
  gained: readonly Channel[],
  subscribers: ReadonlyMap<number, number[]>,
): void {
  const subscriptions = gained.map((channel) =>
    presentSubscription(
      present(tx, channel),
      findSubscription(tx.sql, channel.id, user.id)!,
      subscribers.get(channel.id),
    ),
  )
  tx.emit({ type: 'subscription', op: 'add', subscriptions, inherited: inheritedSettings(user) } as never, {
    users: [user.id],
  })
}

/** One event for one user in several public channels; else one for each channel (behaviour 4.3). */
function emitPeerAdd(tx: RealmTransaction, joined: readonly Joining[]): void {
  const everyUser = new Set(joined.flatMap(({ userIds }) => userIds))
  const isPublic = ({ channel }: Joining) => !channel.isPrivate && !channel.isWebPublic
  const together = everyUser.size === 1 ? joined.filter(isPublic) : []
  if (together.length > 1) {
    tx.emit(
      {
        type: 'subscription',
        op: 'peer_add',
        stream_ids: together.map(({ channel }) => channel.id),
        user_ids: [...everyUser],
      } as never,
      { roles: [100, 200, 300, 400], except: [...everyUser] },
    )
    for (const joining of together) emitPeerAddToGuests(tx, joining)
  }
  for (const joining of joined.filter((one) => together.length <= 1 || !together.includes(one))) {
    const { channel, userIds } = joining
    tx.emit(
      { type: 'subscription', op: 'peer_add', stream_ids: [channel.id], user_ids: sorted(userIds) } as never,
      { ...channelMetadataAudience(tx, channel), except: userIds },
    )
  }
}

/** Guests see a public channel only when they are subscribed to it. */
function emitPeerAddToGuests(tx: RealmTransaction, { channel, userIds }: Joining): void {
  const users = findUsers(tx.sql, subscriberIds(tx.sql, channel.id))
  const guests = [...users.values()].filter((user) => isGuest(user) && !userIds.includes(user.id))
  if (guests.length === 0) return
  tx.emit(
    { type: 'subscription', op: 'peer_add', stream_ids: [channel.id], user_ids: sorted(userIds) } as never,
    { users: guests.map(({ id }) => id) },
  )
}

function present(tx: RealmTransaction, channel: Channel) {
  return presentChannel(tx.sql, channel, {
    now: tx.now,
    subscriberCount: subscriberIds(tx.sql, channel.id).length,
  })
}

function sorted(ids: readonly number[]): number[] {
  return [...ids].sort((a, b) => a - b)
}
