import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredStreamEvent } from '../../events/stream.ts'
import type { StoredSubscriptionEvent } from '../../events/subscription.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import { actorOf } from '../caller.ts'
import { onlyForThoseWhoSeeArchived } from '../channels/archived-channels.ts'
import type { Channel } from '../channels/channel-rows.ts'
import { readChannels } from '../messages/read-channel.ts'
import { findUsers, type User } from '../users/user-rows.ts'
import { withVisibilityEventsOfSubscribing } from '../visibility/users-seen-through-channels.ts'
import { announcePeers } from './announce-peers.ts'
import { type ChannelMembers, groupByChannels } from './channel-members.ts'
import { presentPosition } from './position.ts'
import { endSubscriptions } from './subscription-rows.ts'

/**
 * Ends subscriptions and notifies everybody concerned: the users, those of them to whom a channel is no
 * longer visible, and the peers. Source: docs/interface/subscriptions.md#unsubscribe.
 */
export function leaveChannels(tx: RealmTransaction, leaving: readonly ChannelMembers[]): void {
  const left = leaving.filter(({ userIds }) => userIds.length > 0)
  const users = findUsers(tx.sql, [...new Set(left.flatMap(({ userIds }) => userIds))])
  const groups = groupByChannels(left).map(({ changes, userIds }) => ({
    channels: changes.map(({ channel }) => channel),
    members: userIds.map((id) => users.get(id)!),
  }))
  for (const { channels, members } of groups) {
    const ids = channels.map(({ id }) => id)
    for (const user of members) readChannels(tx, user, ids)
  }
  withVisibilityEventsOfSubscribing(tx, left, () => {
    for (const { channel, userIds } of left) {
      endSubscriptions(tx.sql, channel.id, userIds, presentPosition(tx))
    }
    for (const { channels, members } of groups) emitRemove(tx, channels, members)
    for (const { channels, members } of groups) announceHiddenChannels(tx, channels, members)
    announcePeers(tx, 'peer_remove', left)
  })
}

function emitRemove(tx: RealmTransaction, channels: readonly Channel[], members: readonly User[]): void {
  const event: StoredSubscriptionEvent = {
    type: 'subscription',
    op: 'remove',
    subscriptions: channels.map(({ id, name }) => ({ stream_id: id, name })),
  }
  tx.emit(event, { users: members.map(({ id }) => id) })
}

/** Emits to each user the removal of the channels that they saw only by being subscribed. */
function announceHiddenChannels(
  tx: RealmTransaction,
  channels: readonly Channel[],
  members: readonly User[],
): void {
  const visibility = members.map((user) => {
    const actor = actorOf(tx.sql, user, tx.now)
    return { user, lost: channels.filter((channel) => !mayAccessChannelMetadata(actor, channel, false)) }
  })
  const groups = Map.groupBy(visibility, ({ lost }) => lost.map(({ id }) => id).join())
  for (const group of groups.values()) {
    for (const lost of Map.groupBy(group[0]!.lost, ({ isArchived }) => isArchived).values()) {
      const event: StoredStreamEvent = {
        type: 'stream',
        op: 'delete',
        streams: lost.map(({ id }) => ({ stream_id: id })),
        stream_ids: lost.map(({ id }) => id),
        ...onlyForThoseWhoSeeArchived(lost[0]!),
      }
      tx.emit(event, { users: group.map(({ user }) => user.id) })
    }
  }
}
