import type { RealmReads } from '../../core/realm-transaction.ts'
import { actorOf } from '../caller.ts'
import { allChannels } from '../channels/read/all-channels.ts'
import { subscriptionsByChannel } from '../subscriptions/subscriptions-of-user-rows.ts'
import { mutedAmong, mutedTopics, nameOfVisible } from '../user-topics/present-user-topics.ts'
import { listUserTopics } from '../user-topics/user-topic-rows.ts'
import type { User } from '../users/user-rows.ts'
import { shownBy } from './shown-topic.ts'
import type { SnapshotOptions } from './snapshot.ts'

/** Number of topics with a setting from which on their channels are not looked up one by one. */
const MANY_SETTINGS = 100

/**
 * The muted topics in the older form, as `mutedTopics` returns them, with topics as the client knows them. The channels of
 * few are looked up, one by one.
 */
export function presentMutedTopics(tx: RealmReads, user: User, options: SnapshotOptions): unknown[] {
  const shown = shownBy(options)
  const settings = listUserTopics(tx.sql, user.id)
  const present = (muted: readonly [string, string, number][]) =>
    muted.map(([channel, topic, at]) => [channel, shown(topic), at])
  if (settings.length < MANY_SETTINGS) return present(mutedTopics(tx, user))
  const actor = actorOf(tx.sql, user, tx.now)
  const channels = allChannels(tx)
  const subscriptions = subscriptionsByChannel(tx.sql, user.id)
  const named = new Set(settings.map(({ channelId }) => channelId))
  const byId = new Map(channels.filter(({ id }) => named.has(id)).map((channel) => [channel.id, channel]))
  const isSubscribed = (id: number) => subscriptions.get(id)?.isActive ?? false
  return present(mutedAmong(settings, (id) => nameOfVisible(actor, byId.get(id), isSubscribed(id))))
}
