import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { channelRecipientId } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import type { Channel } from '../channels/channel-rows.ts'
import type { ChannelMembers } from './channel-members.ts'
import { nextColor } from './colors.ts'
import { presentPosition } from './position.ts'
import { beginSubscriptions, colorsUsedBy, subscriptionsAmong } from './subscription-rows.ts'

/**
 * Subscribes users to a channel, without any event; answers those who were not subscribed before. Their
 * periods begin after what has been emitted so far. Written in one statement however many they are.
 *
 * Who comes back has the colour of before; else it is the one asked for, else one not in use yet.
 */
export function joinChannel(
  tx: RealmTransaction,
  channel: Channel,
  userIds: readonly number[],
  color?: string,
): ChannelMembers {
  const before = subscriptionsAmong(tx.sql, channel.id, userIds)
  const joining = [...new Set(userIds)]
    .filter((userId) => !before.get(userId)?.isActive)
    .sort((a, b) => a - b)
  const newcomers = joining.filter((userId) => !before.has(userId))
  const colors = color === undefined ? freeColors(tx.sql, channel, newcomers) : undefined
  beginSubscriptions(
    tx.sql,
    channel.id,
    joining.map((userId) => ({
      userId,
      color: before.get(userId)?.color ?? color ?? colors!.get(userId)!,
    })),
    presentPosition(tx),
  )
  return { channel, userIds: joining }
}

function freeColors(sql: Sql, channel: Channel, userIds: readonly number[]): Map<number, string> {
  const used = colorsUsedBy(sql, userIds)
  return new Map(
    userIds.map((userId) => [userId, nextColor(used.get(userId) ?? [], channelRecipientId(channel.id))]),
  )
}
