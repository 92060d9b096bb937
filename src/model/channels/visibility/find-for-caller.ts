import { nameKey } from '../../../core/names.ts'
import { inParts } from '../../../core/parts-of-lists.ts'
import { defineReader } from '../../../core/reader.ts'
import type { RealmReads } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import {
  mayAccessChannelMetadata,
  requireActiveChannelContent,
  requireChannelContent,
  requireChannelMetadata,
} from '../../../rules/channel-rules.ts'
import { type Channel, findChannel, findChannelByName } from '../../../store/channels/channel-rows.ts'
import {
  channelsOf,
  isSubscribed,
  openSubscribersOf,
  subscriptionsByChannel,
} from '../../../store/subscriptions/subscriber-rows.ts'
import type { Subscription } from '../../../store/subscriptions/subscription-rows.ts'
import type { Caller } from '../../caller.ts'
import type { Viewer } from '../../messages/read/message-access.ts'
import { everyChannel, type PresentedChannel, presentChannel } from '../read/present-channel.ts'

/** Finds a channel; undefined also for one that the viewer may not know of, which counts as absent. */
export function findVisibleChannel(
  sql: Sql,
  viewer: Viewer,
  named: { readonly id: number } | { readonly name: string },
): Channel | undefined {
  const channel = 'id' in named ? findChannel(sql, named.id) : findChannelByName(sql, named.name)
  const isVisible =
    channel !== undefined &&
    mayAccessChannelMetadata(viewer.actor, channel, isSubscribed(sql, channel.id, viewer.user.id))
  return isVisible ? channel : undefined
}

/** A name, with the channel that has it, as far as the viewer may know. */
interface NamedForViewer {
  readonly visible: Channel | undefined
  /** Whether a channel has this name, even if the viewer may not know. */
  readonly exists: boolean
  readonly isSubscribed: boolean
}

const NAMES_AT_A_TIME = 100
/** Work of finding a channel by its name, with its permissions, in rows. */
const WORK_OF_A_NAME = 8

/** Channels with these names, by their `nameKey`. */
const channelsNamed = defineReader({
  name: 'channels with names',
  key: (names: readonly string[]) => JSON.stringify(names),
  *read({ sql }, names) {
    const channels = new Map<string, Channel>()
    for (const part of inParts(names, NAMES_AT_A_TIME)) {
      for (const name of part) {
        const channel = findChannelByName(sql, name)
        if (channel) channels.set(nameKey(name), channel)
      }
      yield WORK_OF_A_NAME * part.length
    }
    return channels
  },
})

/** Looks up channels by name; there may be thousands. */
export function lookUpChannels(
  tx: Pick<RealmReads, 'sql' | 'use'>,
  viewer: Viewer,
  names: readonly string[],
): (name: string) => NamedForViewer {
  const { sql } = tx
  const found = tx.use(channelsNamed, names)
  const subscribed = channelsOf(sql, viewer.user.id)
  return (name) => {
    const channel = found.get(nameKey(name))
    if (!channel) return { visible: undefined, exists: false, isSubscribed: false }
    const own = subscribed.has(channel.id)
    const isVisible = mayAccessChannelMetadata(viewer.actor, channel, own)
    return { visible: isVisible ? channel : undefined, exists: true, isSubscribed: own }
  }
}

/** Returns a channel. @throws BadRequestError `Invalid channel ID` when it is absent or the caller may not know of it. */
export function requireVisibleChannel(sql: Sql, { user, actor }: Caller, id: number): Channel {
  return requireChannelMetadata(actor, findChannel(sql, id), isSubscribed(sql, id, user.id))
}

/** Returns a channel, archived or not, if the caller may read its messages. @throws BadRequestError like `requireVisibleChannel`. */
export function requireReadableChannel(sql: Sql, { user, actor }: Caller, id: number): Channel {
  return requireChannelContent(actor, findChannel(sql, id), isSubscribed(sql, id, user.id))
}

/** Returns a channel that is not archived, if the caller may read its messages. @throws BadRequestError like `requireVisibleChannel`. */
export function requireActiveChannel(sql: Sql, { user, actor }: Caller, id: number): Channel {
  return requireActiveChannelContent(actor, findChannel(sql, id), isSubscribed(sql, id, user.id))
}

/** A channel in the form that all of its viewers share. */
interface DescribedChannel {
  readonly channel: Channel
  readonly presented: PresentedChannel
}

interface VisibleChannel extends DescribedChannel {
  /** The caller's own present or past subscription. */
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
