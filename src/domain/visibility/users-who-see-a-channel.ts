import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredStreamEvent } from '../../events/stream.ts'
import type { StoredSubscriptionEvent } from '../../events/subscription.ts'
import type { Actor } from '../../permissions/actor.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import { actorsOf } from '../caller.ts'
import { onlyForThoseWhoSeeArchived } from '../channels/archive/archived-channels.ts'
import type { Channel } from '../channels/channel-rows.ts'
import { presentChannel } from '../channels/read/present-channel.ts'
import { subscriberIds, subscribersAmong } from '../subscriptions/subscription-rows.ts'
import { listActive } from '../users/active-user-rows.ts'

/** Returns the active users, or those among `ids`, as the permission rules need them. Callers read them once for all channels. */
export function viewersNow({ sql, now }: RealmReads, ids?: readonly number[]): Actor[] {
  return actorsOf(sql, listActive(sql, ids), now)
}

/** Returns the ids of the viewers who may see that the channel exists. */
export function usersWhoSee({ sql }: RealmReads, channel: Channel, viewers: readonly Actor[]): Set<number> {
  const ids = viewers.map(({ id }) => id)
  const subscribers = subscribersAmong(sql, channel.id, ids)
  const seeing = viewers.filter((viewer) =>
    mayAccessChannelMetadata(viewer, channel, subscribers.has(viewer.id)),
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
  viewers: readonly Actor[],
): number[] {
  const after = usersWhoSee(tx, channel, viewers)
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
