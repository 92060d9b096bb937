import { CHANNELS_MENDED_AT_ONCE } from '../../../core/budgets.ts'
import type { Walks } from '../../../core/command.ts'
import { followed, type Making, madeInTurns, upToDate } from '../../../core/made-in-turns.ts'
import {
  type MadeInTurns,
  type RealmReads,
  type RealmView,
  StaleError,
} from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import { CHANNELS_OF_ONE_TURN } from '../../../core/turn-budgets.ts'
import { mayAccessChannelMetadata } from '../../../permissions/channel-rules.ts'
import type { Caller } from '../../caller.ts'
import {
  countSubscribersAmong,
  countSubscribersByChannel,
} from '../../subscriptions/subscription-count-rows.ts'
import { type Subscription, subscriberIdsOf } from '../../subscriptions/subscription-rows.ts'
import {
  listSubscriptionsOfUser,
  subscriptionsByChannel,
} from '../../subscriptions/subscriptions-of-user-rows.ts'
import { closedUserIds } from '../../users/user-id-rows.ts'
import {
  type Channel,
  channelIdsByName,
  listChannels,
  listChannelsAfter,
  listChannelsAmong,
  newestChannelId,
} from '../channel-rows.ts'
import { type PresentedChannel, presentChannel } from '../read/present-channel.ts'

/** A channel in the form that all its viewers share. */
export interface DescribedChannel {
  readonly channel: Channel
  readonly presented: PresentedChannel
}

export interface VisibleChannel extends DescribedChannel {
  /** The caller's own subscription, past ones included. */
  readonly subscription: Subscription | undefined
}

/** Number of channels whose subscribers are read by themselves for whoever asks for them. */
const FEW_CHANNELS = 50

/** Every channel, by name, made in several turns. */
export type ChannelsInTurns = MadeInTurns<readonly DescribedChannel[]>

/** Lists every channel whose metadata the caller may see, archived ones included, by name. */
export function visibleChannels(
  tx: RealmReads,
  { user, actor }: Caller,
  made?: ChannelsInTurns,
): VisibleChannel[] {
  const own = subscriptionsByChannel(tx.sql, user.id)
  return describedChannels(tx, made)
    .filter(({ channel }) => mayAccessChannelMetadata(actor, channel, own.get(channel.id)?.isActive ?? false))
    .map((described) => ({ ...described, subscription: own.get(described.channel.id) }))
}

const DESCRIBED = 'channels'

/** Lists every channel, by name, regardless of who may see it: made once for many readers. */
export function describedChannels(tx: RealmReads, made?: ChannelsInTurns): readonly DescribedChannel[] {
  const make = () => describe(tx.sql, listChannels(tx.sql), countSubscribersByChannel(tx.sql))
  return tx.remember(DESCRIBED, make, made)
}

/** Makes the same in several turns, for `load`. Undefined also where there are few. */
export async function describeChannels(walks: Walks, view: RealmView): Promise<ChannelsInTurns | undefined> {
  const { sql } = view
  if (newestChannelId(sql) <= AT_A_TIME) return undefined
  const describeSome = (channels: readonly Channel[], closed: readonly number[]) =>
    describe(sql, channels, countSubscribersAmong(sql, idsOf(channels), closed))
  return madeInTurns<readonly DescribedChannel[]>(walks, view, DESCRIBED, {
    async make() {
      const described: DescribedChannel[] = []
      const closed = closedUserIds(sql)
      await eachFew(walks, sql, CHANNELS_OF_ONE_TURN.rowsCounted, (channels) => {
        described.push(...describeSome(channels, closed))
      })
      return described
    },
    mend(described, changed) {
      const now = describeSome(listChannelsAmong(sql, [...changed]), closedUserIds(sql))
      return replaced(sql, described, ({ channel }) => channel.id, now)
    },
  })
}

/** Returns a list of every channel with some of them as they are now, by name. */
export function replaced<Item>(
  sql: Sql,
  all: readonly Item[],
  idOf: (item: Item) => number,
  now: readonly Item[],
): Item[] {
  const byId = new Map([...all, ...now].map((item) => [idOf(item), item]))
  return channelIdsByName(sql).map((id) => byId.get(id)!)
}

const SUBSCRIBERS = 'subscribers of channels'

/** Subscribers by channel, ascending. */
export type SubscribersOfChannels = ReadonlyMap<number, readonly number[]>

/** Subscribers as `load` has found them: of all channels, or of the few in which somebody is. */
export interface SubscribersInTurns {
  readonly areOfAll: boolean
  readonly made: MadeInTurns<SubscribersOfChannels>
}

/**
 * Returns the subscribers of these channels, and perhaps of others: those of all are made once for the few who ask for many.
 * @throws StaleError where more has changed than one turn reads again
 */
export function subscribersOfChannels(
  tx: RealmReads,
  channelIds: readonly number[],
  found?: SubscribersInTurns,
): SubscribersOfChannels {
  if (found && !found.areOfAll) {
    const known = upToDate(tx.remembered, found.made)
    const others = channelIds.filter((id) => !known.has(id))
    if (others.length > CHANNELS_MENDED_AT_ONCE) throw new StaleError()
    return others.length === 0 ? known : new Map([...known, ...subscriberIdsOf(tx.sql, others)])
  }
  return tx.remember(SUBSCRIBERS, () => subscriberIdsOf(tx.sql, idsOf(listChannels(tx.sql))), found?.made)
}

/** Finds those of this user's channels in several turns, for `load`, or of all channels if they are many. */
export async function listSubscribersOfChannels(
  walks: Walks,
  view: RealmView,
  userId: number,
): Promise<SubscribersInTurns> {
  const { sql } = view
  const own = listSubscriptionsOfUser(sql, userId)
  if (own.length <= FEW_CHANNELS) {
    const ids = own.filter(({ isActive }) => isActive).map(({ channelId }) => channelId)
    return {
      areOfAll: false,
      made: await followed(walks, view.remembered, subscribersOfFew(walks, sql, ids)),
    }
  }
  // Reading thousands takes a turn.
  if (own.length > CHANNELS_OF_ONE_TURN.channels) await walks.turn()
  const made = await madeInTurns<SubscribersOfChannels>(walks, view, SUBSCRIBERS, {
    async make() {
      const subscribers = new Map<number, readonly number[]>()
      await eachFew(walks, sql, CHANNELS_OF_ONE_TURN.rowsListed, (channels) => {
        for (const [id, ids] of subscriberIdsOf(sql, idsOf(channels))) subscribers.set(id, ids)
      })
      return byChannel(subscribers)
    },
    mend(before, changed) {
      const others = [...before].filter(([id]) => !changed.has(id))
      return byChannel([...others, ...subscriberIdsOf(sql, [...changed])])
    },
  })
  return { areOfAll: true, made }
}

/** Everybody may be in each of them. One that has no subscribers is there too. */
function subscribersOfFew(
  walks: Walks,
  sql: Sql,
  channelIds: readonly number[],
): Making<SubscribersOfChannels> {
  const read = (id: number) => [id, subscriberIdsOf(sql, [id]).get(id) ?? []] as const
  return {
    async make() {
      const subscribers = new Map<number, readonly number[]>()
      let until = sql.counts.read + CHANNELS_OF_ONE_TURN.rowsListed
      for (const id of channelIds) {
        if (sql.counts.read >= until) {
          await walks.turn()
          until = sql.counts.read + CHANNELS_OF_ONE_TURN.rowsListed
        }
        subscribers.set(...read(id))
      }
      return subscribers
    },
    mend: (before, changed) =>
      new Map([...before].map(([id, ids]) => (changed.has(id) ? read(id) : ([id, ids] as const)))),
  }
}

function byChannel(subscribers: Iterable<readonly [number, readonly number[]]>): SubscribersOfChannels {
  return new Map([...subscribers].sort(([a], [b]) => a - b))
}

/** Number of channels that are looked at between two looks at the budget: everybody may be in each of them. */
const AT_A_TIME = 5

/**
 * Goes through all channels by name, a few at a time, in turns of at most so many rows and channels. Where those are several, what follows has
 * a turn of its own.
 */
async function eachFew(
  walks: Walks,
  sql: Sql,
  rows: number,
  work: (channels: readonly Channel[]) => void,
): Promise<void> {
  for (let last: Channel | undefined; ; await walks.turn()) {
    const channels = listChannelsAfter(sql, last, CHANNELS_OF_ONE_TURN.channels)
    const until = sql.counts.read + rows
    let done = 0
    for (; done < channels.length && sql.counts.read < until; done += AT_A_TIME) {
      work(channels.slice(done, done + AT_A_TIME))
    }
    if (done >= channels.length && channels.length < CHANNELS_OF_ONE_TURN.channels) {
      if (last) await walks.turn()
      return
    }
    last = channels[Math.min(done, channels.length) - 1]
  }
}

function describe(
  sql: Sql,
  channels: readonly Channel[],
  counts: ReadonlyMap<number, number>,
): DescribedChannel[] {
  return channels.map((channel) => ({
    channel,
    presented: presentChannel(sql, channel, { subscriberCount: counts.get(channel.id) ?? 0 }),
  }))
}

function idsOf(channels: readonly Channel[]): number[] {
  return channels.map(({ id }) => id)
}
