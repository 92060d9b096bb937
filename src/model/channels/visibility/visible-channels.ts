import { defineReader } from '../../../core/reader.ts'
import type { RealmReads } from '../../../core/realm-transaction.ts'
import { mayAccessChannelMetadata } from '../../../rules/channel-rules.ts'
import type { Channel } from '../../../store/channels/channel-rows.ts'
import { openSubscribersOf } from '../../../store/subscriptions/subscriber-rows.ts'
import type { Subscription } from '../../../store/subscriptions/subscription-rows.ts'
import { subscriptionsByChannel } from '../../../store/subscriptions/subscriptions-of-user-rows.ts'
import type { Caller } from '../../caller.ts'
import { everyChannel } from '../read/all-channels.ts'
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

/** Lists every channel whose metadata the caller may see, archived ones included, by name. */
export function visibleChannels(tx: RealmReads, { user, actor }: Caller): VisibleChannel[] {
  const own = subscriptionsByChannel(tx.sql, user.id)
  return describedChannels(tx)
    .filter(({ channel }) => mayAccessChannelMetadata(actor, channel, own.get(channel.id)?.isActive ?? false))
    .map((described) => ({ ...described, subscription: own.get(described.channel.id) }))
}

/** Lists every channel, by name, regardless of who may see it. */
export function describedChannels(tx: RealmReads): readonly DescribedChannel[] {
  return tx.use(everyChannelDescribed, undefined)
}

/** Rows that take as long to read as it takes to present a channel. */
const WORK_OF_A_CHANNEL = 4

const everyChannelDescribed = defineReader({
  name: 'channels as presented',
  key: () => '',
  *read(store) {
    const described: DescribedChannel[] = []
    for (const channel of yield* store.use(everyChannel, undefined)) {
      const { size: subscriberCount } = openSubscribersOf(store.sql, channel.id)
      described.push({ channel, presented: presentChannel(store.sql, channel, { subscriberCount }) })
      yield WORK_OF_A_CHANNEL
    }
    return described
  },
})
