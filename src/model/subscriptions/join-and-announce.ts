import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import { callForJoining } from '../bots/enqueue-event-calls.ts'
import {
  withVisibilityEventsOfNewUser,
  withVisibilityEventsOfSubscribing,
} from '../visibility/users-seen-through-channels.ts'
import { announcePeers } from './announce-peers.ts'
import { announceSubscriptions } from './announce-subscriptions.ts'
import type { ChannelMembers } from './channel-members.ts'
import { type ChannelToJoin, joinChannels } from './join-channels.ts'

/**
 * Subscribes users to channels and notifies all concerned. Returns the users who were not subscribed before.
 * `causeId`: the user who subscribes them.
 */
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

/**
 * Subscribes an account that this commit makes, and notifies the others. The account has no queue yet for
 * events of its own, which would contain every subscriber of its channels.
 */
export function joinAsNewUser(tx: RealmTransaction, userId: number, channels: readonly Channel[]): void {
  const wanted = channels.map((channel) => ({ channel, userIds: [userId] }))
  withVisibilityEventsOfNewUser(tx, wanted, () => announcePeers(tx, 'peer_add', joinChannels(tx, wanted)))
}
