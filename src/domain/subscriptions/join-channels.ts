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

/** The colours that users have for their channels, for those who come into many at once: each user's are read once. */
export class ColorsInUse {
  readonly #sql: Sql
  readonly #known = new Map<number, string[]>()

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** One for each of the users, not in use yet where there is one left; from now on it is. */
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

  /** The user has it for a channel from now on. */
  note(userId: number, color: string): string {
    const known = this.#known.get(userId)
    if (known && !known.includes(color)) known.push(color)
    return color
  }
}
