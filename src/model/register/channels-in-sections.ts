import { membersText } from '../../core/json.ts'
import { defineReader, type Steps } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { getsRepresentation } from '../../core/representations-by-level.ts'
import { fragmentsOf, type InFragments, objectOf, type Section, sectionOf } from '../../core/sections.ts'
import { resolveInherited } from '../../events/subscription.ts'
import { mayAccessChannelMetadata } from '../../rules/channel-rules.ts'
import { type Channel, findChannel } from '../../store/channels/channel-rows.ts'
import { openSubscribersOf, subscriptionsByChannel } from '../../store/subscriptions/subscriber-rows.ts'
import type { Subscription } from '../../store/subscriptions/subscription-rows.ts'
import type { Caller } from '../caller.ts'
import { allChannels, presentChannel } from '../channels/read/present-channel.ts'
import { inheritedSettings, presentPersonalSettings } from '../subscriptions/present-subscription.ts'
import type { SnapshotOptions } from './snapshot.ts'

/** A channel that the caller may see. */
interface SeenChannel {
  readonly channel: Channel
  /** The caller's own subscription, also a past one. */
  readonly subscription: Subscription | undefined
  /** What all its viewers see, as FRAGMENTS. */
  readonly section: Section
  /** The members of its object that only clients of newer levels know; '' for others. */
  readonly newer: string
}

/** Fragments of a channel's object. Personal settings, and members that depend on the client, come after the properties. */
const FRAGMENTS = { properties: 0, subscriberCount: 1, subscribers: 2 } as const

/** The channels, by the options of a snapshot, which has them in several lists. */
const found = new WeakMap<SnapshotOptions, readonly SeenChannel[]>()

/** Finds every channel whose metadata the caller may see, by name. */
export function channelsSeen(
  tx: RealmReads,
  caller: Caller,
  options: SnapshotOptions,
): readonly SeenChannel[] {
  const channels = found.get(options) ?? findChannels(tx, caller, options)
  found.set(options, channels)
  return channels
}

function findChannels(tx: RealmReads, caller: Caller, options: SnapshotOptions): SeenChannel[] {
  const channels = visibleChannels(tx, caller, {
    withArchived: options.capabilities.has('archived_channels'),
  })
  const sections = tx.useAll(
    channelSection,
    channels.map(({ channel }) => channel.id),
  )
  const knowsPushes = getsRepresentation(caller.source, 'channels with default_push_notifications')
  const newerOf = ({ properties: { default_push_notifications } }: Channel) =>
    knowsPushes ? membersText({ default_push_notifications }) : ''
  return channels.map((one, at) => ({ ...one, section: sections[at]!, newer: newerOf(one.channel) }))
}

/** Lists the channels whose metadata the caller may see, by name, with the caller's own subscriptions. */
export function visibleChannels(
  tx: RealmReads,
  { user, actor }: Caller,
  { withArchived }: { readonly withArchived: boolean },
): Pick<SeenChannel, 'channel' | 'subscription'>[] {
  const own = subscriptionsByChannel(tx.sql, user.id)
  return allChannels(tx).flatMap((channel) => {
    if (channel.isArchived && !withArchived) return []
    const subscription = own.get(channel.id)
    const isVisible = mayAccessChannelMetadata(actor, channel, subscription?.isActive ?? false)
    return isVisible ? [{ channel, subscription }] : []
  })
}

/** Returns a channel's object. `settings`: the personal settings, as a fragment. */
export function channelObject(
  { section, newer }: SeenChannel,
  { listsSubscribers, settings = '' }: { readonly listsSubscribers: boolean; readonly settings?: string },
): InFragments {
  const { properties, subscriberCount, subscribers } = FRAGMENTS
  return objectOf([
    fragmentsOf(section, properties, subscriberCount),
    newer,
    settings,
    fragmentsOf(section, subscriberCount, listsSubscribers ? subscribers + 1 : subscribers),
  ])
}

/** Returns a function that writes the personal settings of a subscription as a fragment, in the client's form. */
export function settingsWriter(
  { user }: Pick<Caller, 'user'>,
  { capabilities }: Pick<SnapshotOptions, 'capabilities'>,
): (subscription: Subscription) => string {
  const inherited = inheritedSettings(user)
  const hasNulls = capabilities.has('notification_settings_null')
  return (subscription) => {
    const settings = presentPersonalSettings(subscription)
    return membersText(hasNulls ? settings : resolveInherited(settings, inherited))
  }
}

/** A channel with its subscribers. */
const channelSection = defineReader({
  name: 'channel',
  key: (id: number) => String(id),
  *read(store, id): Steps<Section> {
    const { sql } = store
    const channel = findChannel(sql, id)!
    const {
      subscriber_count: _,
      default_push_notifications: _newer,
      ...fields
    } = presentChannel(sql, channel, { subscriberCount: 0 })
    const subscribers = openSubscribersOf(sql, id).toArray()
    yield
    return sectionOf(`channel ${id}`, [
      membersText(fields),
      membersText({ subscriber_count: subscribers.length }),
      membersText({ subscribers }),
    ])
  },
})
