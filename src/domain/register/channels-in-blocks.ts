import {
  type BlockRows,
  type BlocksOfSubjects,
  InBlocks,
  LIST,
  type PartsOfRows,
  type Segment,
} from '../../core/blocks.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { mayAccessChannelMetadata } from '../../permissions/channel-rules.ts'
import type { Caller } from '../caller.ts'
import { type Channel, findChannel } from '../channels/channel-rows.ts'
import { allChannels } from '../channels/read/all-channels.ts'
import { presentChannel } from '../channels/read/present-channel.ts'
import { type Subscription, subscriberIds } from '../subscriptions/subscription-rows.ts'
import { subscriptionsByChannel } from '../subscriptions/subscriptions-of-user-rows.ts'
import type { SnapshotOptions } from './snapshot.ts'

/** The channels that the caller may see, by name, in the form that all their viewers share. */
export interface ChannelsInBlocks {
  readonly channels: readonly Channel[]
  /** The caller's own subscription to each, past ones included. */
  readonly subscriptions: readonly (Subscription | undefined)[]
  /** The beginning of each as an object, with a comma before it, and the end (`END`). */
  readonly blocks: BlockRows
}

/** What a channel's object ends with: the number of subscribers, or that and their ids, ascending. */
export const END = { counted: 0, listed: 1 } as const

/** The channels of one snapshot, which has them in several lists. */
const found = new WeakMap<SnapshotOptions, ChannelsInBlocks>()

/** Finds every channel whose metadata the caller may see. */
export function channelsInBlocks(tx: RealmReads, caller: Caller, options: SnapshotOptions): ChannelsInBlocks {
  const channels = found.get(options) ?? findChannels(tx, caller, options)
  found.set(options, channels)
  return channels
}

function findChannels(tx: RealmReads, { user, actor }: Caller, options: SnapshotOptions): ChannelsInBlocks {
  const own = subscriptionsByChannel(tx.sql, user.id)
  const withArchived = options.capabilities.has('archived_channels')
  const channels: Channel[] = []
  const subscriptions: (Subscription | undefined)[] = []
  const numbers: number[] = []
  for (const channel of allChannels(tx)) {
    if (channel.isArchived && !withArchived) continue
    const subscription = own.get(channel.id)
    if (!mayAccessChannelMetadata(actor, channel, subscription?.isActive ?? false)) continue
    channels.push(channel)
    subscriptions.push(subscription)
    numbers.push(channel.id)
  }
  return { channels, subscriptions, blocks: { families: familiesOf(tx.sql), numbers } }
}

/** Returns a list of channels. `between`: JSON in the middle of each, where there is any. */
export function listOfChannels({ of, rows, end, between }: ListOfChannels): InBlocks {
  return new InBlocks(['[', LIST, { of, rows, parts: [0, end], between }, ']'])
}

interface ListOfChannels extends Pick<PartsOfRows, 'of' | 'rows' | 'between'> {
  readonly end: (typeof END)[keyof typeof END]
}

/** Returns a list of such objects as segments. */
export function listOfObjects(objects: readonly Segment[][]): Segment[] {
  return ['[', ...objects.flatMap((segments, index) => (index === 0 ? segments : [',', ...segments])), ']']
}

function familiesOf(sql: Sql): BlocksOfSubjects[] {
  return [
    {
      kind: 'channel',
      family: 'channel',
      make(id) {
        const channel = findChannel(sql, id)!
        const { subscriber_count: _, ...fields } = presentChannel(sql, channel, { subscriberCount: 0 })
        return [`,${JSON.stringify(fields).slice(0, -1)}`]
      },
    },
    {
      kind: 'subscribers',
      family: 'subscribers',
      make(id) {
        const ids = subscriberIds(sql, id)
        const count = `,"subscriber_count":${ids.length}`
        return [`${count}}`, `${count},"subscribers":${JSON.stringify(ids)}}`]
      },
    },
  ]
}
