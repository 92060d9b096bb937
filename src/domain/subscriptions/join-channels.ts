import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { channelRecipientId } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import type { Channel } from '../channels/channel-rows.ts'
import type { ChannelMembers } from './channel-members.ts'
import { nextColor } from './colors.ts'
import { presentPosition } from './position.ts'
import {
  type BegunSubscription,
  beginSubscriptions,
  colorsUsedBy,
  subscriptionsInEach,
} from './subscription-rows.ts'

/** Users to subscribe to a channel; `color` is normalised. */
export interface ChannelToJoin extends ChannelMembers {
  readonly color?: string | undefined
}

/** Subscribes users to one channel, as `joinChannels` does. */
export function joinChannel(
  tx: RealmTransaction,
  channel: Channel,
  userIds: readonly number[],
  color?: string,
): ChannelMembers {
  return joinChannels(tx, [{ channel, userIds, color }])[0]!
}

/**
 * Subscribes users to channels, each named once, without any event; returns the users who were not subscribed before. Their
 * periods begin after what has been emitted so far. Written in one statement however many they are.
 *
 * A user who comes back has the former colour; otherwise the requested one, or an unused one.
 */
export function joinChannels(tx: RealmTransaction, wanted: readonly ChannelToJoin[]): ChannelMembers[] {
  const inUse = new ColorsInUse(tx.sql)
  const present = subscriptionsInEach(tx.sql, wanted)
  const begun: BegunSubscription[] = []
  const joined = wanted.map(({ channel, userIds, color }, at): ChannelMembers => {
    const before = present[at]!
    const joining = [...new Set(userIds)]
      .filter((userId) => !before.get(userId)?.isActive)
      .sort((a, b) => a - b)
    const newcomers = joining.filter((userId) => !before.has(userId))
    const colors =
      color === undefined
        ? inUse.take(channel, newcomers)
        : new Map(newcomers.map((userId) => [userId, inUse.note(userId, color)]))
    for (const userId of joining) {
      const pushes = channel.pushesByDefault ? 1 : null
      begun.push([channel.id, userId, before.get(userId)?.color ?? colors.get(userId)!, pushes])
    }
    return { channel, userIds: joining }
  })
  beginSubscriptions(tx.sql, begun, presentPosition(tx))
  return joined
}

/**
 * Colours that users have for their channels, for users who join many channels together: each user's are read
 * once.
 */
class ColorsInUse {
  readonly #sql: Sql
  readonly #known = new Map<number, string[]>()
  /** Colours of users whose others have not been read yet. */
  readonly #noted = new Map<number, string[]>()

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** Takes an unused colour for each of the users, if there is one left. */
  take({ id }: Channel, userIds: readonly number[]): Map<number, string> {
    const unknown = userIds.filter((userId) => !this.#known.has(userId))
    const used = unknown.length > 0 ? colorsUsedBy(this.#sql, unknown) : undefined
    for (const userId of unknown) {
      this.#known.set(userId, [...(used?.get(userId) ?? []), ...(this.#noted.get(userId) ?? [])])
    }
    return new Map(
      userIds.map((userId) => {
        const color = nextColor(this.#known.get(userId)!, channelRecipientId(id))
        return [userId, this.note(userId, color)]
      }),
    )
  }

  /** Records that the user has the colour for a channel from now on. */
  note(userId: number, color: string): string {
    const known = this.#known.get(userId) ?? this.#noted.get(userId)
    if (!known) this.#noted.set(userId, [color])
    else if (!known.includes(color)) known.push(color)
    return color
  }
}
