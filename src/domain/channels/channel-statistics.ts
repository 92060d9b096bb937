import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { channelRecipientId } from '../../core/recipient-id.ts'
import { DAY, WEEK } from '../../core/time.ts'
import { countMessagesFrom, firstMessageSince } from '../messages/message-counts.ts'
import { newestMessageIdsOf } from '../messages/message-rows.ts'
import { setRecentlyActive } from './channel-activity.ts'
import { type Channel, changeChannel, listChannels } from './channel-rows.ts'

/** The job that looks at all channels once a day. */
export const CHANNEL_STATISTICS = 'channel-statistics'
export const STATISTICS_EVERY_SECONDS = DAY

/** A channel without a message for so long is dormant: clients tuck it away. */
const DORMANT_SECONDS = 180 * DAY

/** Traffic is an average over so many weeks, or over the channel's life when that is shorter. */
const AVERAGED_WEEKS = 4

/**
 * Brings `is_recently_active` and `stream_weekly_traffic` up to date. It reads the index of the last weeks
 * and writes what changed; no message pays for it. Source: docs/interface/channels.md#the-channel-object.
 */
export function renewChannelStatistics(tx: RealmTransaction): void {
  const since = firstMessageSince(tx.sql, tx.now - AVERAGED_WEEKS * WEEK)
  const counts = countMessagesFrom(tx.sql, since)
  const dormantBelow = firstMessageSince(tx.sql, tx.now - DORMANT_SECONDS)
  for (const channel of listChannels(tx.sql)) {
    const count = counts.get(channelRecipientId(channel.id)) ?? 0
    const weeklyTraffic = averageTraffic(count, tx.now - channel.createdAt)
    if (weeklyTraffic !== channel.weeklyTraffic) changeChannel(tx.sql, channel.id, { weeklyTraffic })
    if (channel.isRecentlyActive && isDormant(tx, channel, dormantBelow)) {
      setRecentlyActive(tx, channel, false)
    }
  }
  // No event tells of the traffic.
  tx.forgetRemembered()
}

function isDormant(tx: RealmTransaction, channel: Channel, dormantBelow: number): boolean {
  if (channel.createdAt > tx.now - DORMANT_SECONDS) return false
  const [newest = 0] = newestMessageIdsOf(tx.sql, channelRecipientId(channel.id), 1)
  return newest < dormantBelow
}

/** Two digits are enough, and more would change every day. Something is never shown as nothing. */
function averageTraffic(count: number, ageSeconds: number): number | null {
  const weeks = Math.min(ageSeconds / WEEK, AVERAGED_WEEKS)
  if (weeks < 1) return null
  if (count === 0) return 0
  return Math.max(1, Number(Math.floor(count / weeks).toPrecision(2)))
}
