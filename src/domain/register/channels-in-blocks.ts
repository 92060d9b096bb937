import { type Block, InBlocks, LIST, type PartOfBlock, type Segment } from '../../core/blocks.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import type { Caller } from '../caller.ts'
import { type Channel, findChannel } from '../channels/channel-rows.ts'
import { allChannels } from '../channels/read/all-channels.ts'
import { presentChannel } from '../channels/read/present-channel.ts'
import { type Subscription, subscriberIds } from '../subscriptions/subscription-rows.ts'
import { listSubscriptionsOfUser } from '../subscriptions/subscriptions-of-user-rows.ts'
import type { SnapshotOptions } from './snapshot.ts'

/** A channel that the caller may see, in the form that all its viewers share. */
export interface ChannelInBlocks {
  readonly channel: Channel
  /** The caller's own subscription, past ones included. */
  readonly subscription: Subscription | undefined
  /** The beginning of an object, with a comma before it. */
  readonly opening: PartOfBlock
  /** The end of an object: the number of subscribers. */
  readonly counted: PartOfBlock
  /** The same, and the ids of the subscribers, ascending. */
  readonly listed: PartOfBlock
}

/** The channels of one snapshot, which has them in several lists. */
const found = new WeakMap<SnapshotOptions, readonly ChannelInBlocks[]>()

/** Lists every channel whose metadata the caller may see, by name. */
export function channelsInBlocks(
  tx: RealmReads,
  caller: Caller,
  options: SnapshotOptions,
): readonly ChannelInBlocks[] {
  const channels = found.get(options) ?? findChannels(tx, caller, options)
  found.set(options, channels)
  return channels
}

function findChannels(tx: RealmReads, { user, actor }: Caller, options: SnapshotOptions): ChannelInBlocks[] {
  const { capabilities } = options
  const own = new Map(listSubscriptionsOfUser(tx.sql, user.id).map((one) => [one.channelId, one]))
  return allChannels(tx, options)
    .filter((channel) => !channel.isArchived || capabilities.has('archived_channels'))
    .filter((channel) => mayAccessChannelMetadata(actor, channel, own.get(channel.id)?.isActive ?? false))
    .map((channel) => inBlocks(tx, channel, own.get(channel.id)))
}

/** Returns a list of channels. `segmentsOf`: as few as possible, since an organization may have thousands. */
export function listOfChannels(
  channels: readonly ChannelInBlocks[],
  segmentsOf: (channel: ChannelInBlocks, add: (segment: Segment) => void) => void,
): InBlocks {
  const segments: Segment[] = ['[', LIST]
  const add = (segment: Segment) => {
    segments.push(segment)
  }
  for (const channel of channels) segmentsOf(channel, add)
  segments.push(']')
  return new InBlocks(segments)
}

/** Returns a list of such objects as segments. */
export function listOfObjects(objects: readonly Segment[][]): Segment[] {
  return ['[', ...objects.flatMap((segments, index) => (index === 0 ? segments : [',', ...segments])), ']']
}

function inBlocks(
  { sql }: RealmReads,
  channel: Channel,
  subscription: Subscription | undefined,
): ChannelInBlocks {
  const { id } = channel
  const subscribed = new SubscribersBlock(sql, id)
  return {
    channel,
    subscription,
    opening: { block: new DescriptionBlock(sql, id), part: 0 },
    counted: { block: subscribed, part: 0 },
    listed: { block: subscribed, part: 1 },
  }
}

/** A class, since thousands are made for each registration. */
abstract class BlockOfChannel {
  readonly number: number
  protected readonly sql: Sql

  constructor(sql: Sql, number: number) {
    this.sql = sql
    this.number = number
  }
}

class DescriptionBlock extends BlockOfChannel implements Block {
  readonly kind = 'channel'
  readonly family = 'channel'

  make(): readonly string[] {
    const channel = findChannel(this.sql, this.number)!
    const { subscriber_count: _, ...fields } = presentChannel(this.sql, channel, { subscriberCount: 0 })
    return [`,${JSON.stringify(fields).slice(0, -1)}`]
  }
}

class SubscribersBlock extends BlockOfChannel implements Block {
  readonly kind = 'subscribers'
  readonly family = 'subscribers'

  make(): readonly string[] {
    const ids = subscriberIds(this.sql, this.number)
    const count = `,"subscriber_count":${ids.length}`
    return [`${count}}`, `${count},"subscribers":${JSON.stringify(ids)}}`]
  }
}
