import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import { channelRecipientId } from '../../../core/recipient-id.ts'
import { DAY, WEEK } from '../../../core/time.ts'
import { type Channel, changeChannel, listChannels } from '../../../store/channels/channel-rows.ts'
import { findMessages, newestMessageIdsOf } from '../../../store/messages/message-rows.ts'
import { countMessagesSince } from '../../../store/messages/message-time-rows.ts'
import { emitChannelUpdate } from '../change/emit-channel-update.ts'

export const STATISTICS_EVERY_SECONDS = DAY

/** Seconds without a message after which a channel is dormant: clients show it less prominently. */
const DORMANT_SECONDS = 180 * DAY

/** Weeks over which traffic is averaged, or the channel's life if that is shorter. */
const AVERAGED_WEEKS = 4

/**
 * Updates `is_recently_active` and `stream_weekly_traffic`. It reads the index of the last weeks and writes
 * what changed, so that sending a message costs nothing. Source: docs/interface/channels.md#the-channel-object.
 *
 * Returns when a value will next change even if nothing happens (UNIX seconds, a day away at least); undefined if
 * nothing will, so that an idle organization costs nothing.
 */
export function renewChannelStatistics(tx: RealmTransaction): number | undefined {
  const counts = countMessagesSince(tx.sql, tx.now - AVERAGED_WEEKS * WEEK)
  const changes: number[] = []
  for (const channel of listChannels(tx.sql)) {
    const count = counts.get(channelRecipientId(channel.id)) ?? 0
    const weeklyTraffic = averageTraffic(count, tx.now - channel.createdAt)
    if (weeklyTraffic !== channel.weeklyTraffic) changeChannel(tx.sql, channel.id, { weeklyTraffic })
    const dormantAt = count === 0 && channel.isRecentlyActive ? dormantSince(tx, channel) : undefined
    const isDormant = dormantAt !== undefined && dormantAt <= tx.now
    if (isDormant) setRecentlyActive(tx, channel, false)
    if (count > 0) changes.push(tx.now + STATISTICS_EVERY_SECONDS)
    else if (weeklyTraffic === null) changes.push(channel.createdAt + WEEK)
    else if (dormantAt !== undefined && !isDormant) changes.push(dormantAt)
  }
  return changes.length === 0 ? undefined : Math.max(Math.min(...changes), tx.now + STATISTICS_EVERY_SECONDS)
}

/** Returns the time from which a channel without new messages is dormant (UNIX seconds). */
function dormantSince({ sql }: RealmReads, channel: Channel): number {
  const [newest] = findMessages(sql, newestMessageIdsOf(sql, channelRecipientId(channel.id), 1))
  return Math.max(channel.createdAt, newest?.sentAt ?? 0) + DORMANT_SECONDS + 1
}

/** Returns the average in two digits, since more would change every day. Little traffic is never shown as none. */
function averageTraffic(count: number, ageSeconds: number): number | null {
  const weeks = Math.min(ageSeconds / WEEK, AVERAGED_WEEKS)
  if (weeks < 1) return null
  if (count === 0) return 0
  return Math.max(1, Number(Math.floor(count / weeks).toPrecision(2)))
}

/** Marks a dormant channel as active when a message is sent to it. */
export function noteActivity(tx: RealmTransaction, channel: Channel): void {
  if (!channel.isRecentlyActive) setRecentlyActive(tx, channel, true)
}

function setRecentlyActive(tx: RealmTransaction, channel: Channel, isRecentlyActive: boolean): void {
  changeChannel(tx.sql, channel.id, { isRecentlyActive })
  emitChannelUpdate(tx, channel, { property: 'is_recently_active', value: isRecentlyActive })
}
