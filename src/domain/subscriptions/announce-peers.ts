import { NON_GUESTS } from '../../core/audience.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredSubscriptionEvent } from '../../events/subscription.ts'
import { channelMetadataAudience } from '../channels/visibility/channel-audiences.ts'
import type { ChannelMembers } from './channel-members.ts'
import { guestSubscriberIds, guestSubscribersOf } from './guest-subscriber-rows.ts'

/**
 * Notifies everybody else who sees the channels of users who joined or left: one event for one user in
 * several public channels, else one for each channel (docs/interface/subscriptions.md#subscribe;
 * docs/interface/subscriptions.md#unsubscribe).
 */
export function announcePeers(
  tx: RealmTransaction,
  op: 'peer_add' | 'peer_remove',
  changes: readonly ChannelMembers[],
): void {
  const emit = (channelIds: readonly number[], userIds: readonly number[], audience: object) => {
    const event: StoredSubscriptionEvent = {
      type: 'subscription',
      op,
      stream_ids: channelIds,
      user_ids: userIds,
    }
    tx.emit(event, audience)
  }
  const changed = changes.filter(({ userIds }) => userIds.length > 0)
  const everyUser = [...new Set(changed.flatMap(({ userIds }) => userIds))]
  const shared = changed.filter(({ channel }) => !channel.isPrivate && !channel.isWebPublic)
  const together = new Set(everyUser.length === 1 && shared.length > 1 ? shared : [])
  if (together.size > 0) {
    const ids = shared.map(({ channel }) => channel.id)
    emit(ids, everyUser, { ...NON_GUESTS, except: everyUser })
    const guestsOf = guestReader(tx, ids)
    for (const id of ids) {
      const guests = guestsOf(id).filter((user) => user !== everyUser[0])
      if (guests.length > 0) emit([id], everyUser, { users: guests })
    }
  }
  for (const { channel, userIds } of changed.filter((one) => !together.has(one))) {
    emit([channel.id], userIds, { ...channelMetadataAudience(tx, channel), except: userIds })
  }
}

/** Number of channels from which on all guests are read together; below it, each channel's guests. */
const MANY_CHANNELS = 20

function guestReader({ sql }: RealmReads, channelIds: readonly number[]): (id: number) => number[] {
  if (channelIds.length < MANY_CHANNELS) return (id) => guestSubscriberIds(sql, id)
  const guests = guestSubscribersOf(sql, channelIds)
  return (id) => guests.get(id) ?? []
}
