import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredStreamEvent } from '../../events/stream.ts'
import type { StoredSubscriptionEvent } from '../../events/subscription.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import { actorOf } from '../caller.ts'
import { onlyForThoseWhoSeeArchived } from '../channels/archive/archived-channels.ts'
import type { Channel } from '../channels/channel-rows.ts'
import { presentChannel } from '../channels/read/present-channel.ts'
import { subscriberIds } from '../subscriptions/subscription-rows.ts'
import { findUsers, listUsers } from '../users/user-rows.ts'

/** Returns the ids of the active users who see that the channel exists; with `among`, only of those in it. */
export function usersWhoSee(tx: RealmReads, channel: Channel, among?: ReadonlySet<number>): Set<number> {
  const subscribers = new Set(subscriberIds(tx.sql, channel.id))
  const users = among ? [...findUsers(tx.sql, [...among]).values()] : listUsers(tx.sql)
  const seeing = users.filter(
    (user) =>
      user.isActive &&
      mayAccessChannelMetadata(actorOf(tx.sql, user, tx.now), channel, subscribers.has(user.id)),
  )
  return new Set(seeing.map(({ id }) => id))
}

/**
 * Emits the channel, with its subscribers, to users who newly see it, and its removal to users who no longer
 * see it (docs/interface/events.md#order). Returns the ids of the former, who have then got the whole
 * channel.
 */
export function announceChannelVisibility(
  tx: RealmTransaction,
  channel: Channel,
  before: ReadonlySet<number>,
  among?: ReadonlySet<number>,
): number[] {
  const after = usersWhoSee(tx, channel, among)
  const gaining = [...after].filter((id) => !before.has(id))
  const losing = [...before].filter((id) => !after.has(id))
  if (gaining.length > 0) show(tx, channel, gaining)
  if (losing.length > 0) {
    const event: StoredStreamEvent = {
      type: 'stream',
      op: 'delete',
      streams: [{ stream_id: channel.id }],
      stream_ids: [channel.id],
      ...onlyForThoseWhoSeeArchived(channel),
    }
    tx.emit(event, { users: losing })
  }
  return gaining
}

function show(tx: RealmTransaction, channel: Channel, users: readonly number[]): void {
  const subscribers = subscriberIds(tx.sql, channel.id)
  const created: StoredStreamEvent = {
    type: 'stream',
    op: 'create',
    streams: [presentChannel(tx.sql, channel, { subscriberCount: subscribers.length })],
    ...onlyForThoseWhoSeeArchived(channel),
  }
  tx.emit(created, { users })
  if (subscribers.length === 0) return
  const peers: StoredSubscriptionEvent = {
    type: 'subscription',
    op: 'peer_add',
    stream_ids: [channel.id],
    user_ids: subscribers,
  }
  tx.emit(peers, { users })
}
