import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { channelRecipientId } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import type { Channel } from '../channels/channel-rows.ts'
import type { ChannelMembers } from './channel-members.ts'
import { nextColor } from './colors.ts'
import { presentPosition } from './position.ts'
import { beginSubscriptions, colorsUsedBy, subscriptionsAmong } from './subscription-rows.ts'

/**
 * Subscribes users to a channel, without any event; returns the users who were not subscribed before. Their
 * periods begin after what has been emitted so far. Written in one statement however many they are.
 *
 * A user who comes back has the former colour; otherwise the requested one, or an unused one.
 */
export function joinChannel(
  tx: RealmTransaction,
  channel: Channel,
  userIds: readonly number[],
  color?: string,
  inUse = new ColorsInUse(tx.sql),
): ChannelMembers {
  const before = subscriptionsAmong(tx.sql, channel.id, userIds)
  const joining = [...new Set(userIds)]
    .filter((userId) => !before.get(userId)?.isActive)
    .sort((a, b) => a - b)
  const newcomers = joining.filter((userId) => !before.has(userId))
  const colors =
    color === undefined
      ? inUse.take(channel, newcomers)
      : new Map(newcomers.map((userId) => [userId, inUse.note(userId, color)]))
  beginSubscriptions(
    tx.sql,
    channel.id,
    joining.map((userId) => ({ userId, color: before.get(userId)?.color ?? colors.get(userId)! })),
    presentPosition(tx),
  )
  return { channel, userIds: joining }
}

/**
 * Colours that users have for their channels, for users who join many channels together: each user's are read
 * once.
 */
export class ColorsInUse {
  readonly #sql: Sql
  readonly #known = new Map<number, string[]>()

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** Takes an unused colour for each of the users, if there is one left. */
  take({ id }: Channel, userIds: readonly number[]): Map<number, string> {
    const unknown = userIds.filter((userId) => !this.#known.has(userId))
    const used = unknown.length > 0 ? colorsUsedBy(this.#sql, unknown) : undefined
    for (const userId of unknown) this.#known.set(userId, used?.get(userId) ?? [])
    return new Map(
      userIds.map((userId) => {
        const color = nextColor(this.#known.get(userId)!, channelRecipientId(id))
        return [userId, this.note(userId, color)]
      }),
    )
  }

  /** Records that the user has the colour for a channel from now on. */
  note(userId: number, color: string): string {
    const known = this.#known.get(userId)
    if (known && !known.includes(color)) known.push(color)
    return color
  }
}
