import { defineReader, type Steps } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { getsRepresentation } from '../../core/representations-by-level.ts'
import { partOf, type Section, sectionOf } from '../../core/sections.ts'
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
  /** The part that all its viewers see, as PARTS. */
  readonly section: Section
  /** Its fields that only clients of newer levels know, as fields of JSON; '' for others. */
  readonly newer: string
}

/**
 * Parts of a channel's object: the beginning, and two ends, the second with the subscribers. Personal settings, and fields that depend on
 * the client, are between them.
 */
const PARTS = { beginning: 0, counted: 1, listed: 2 } as const

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

function findChannels(
  tx: RealmReads,
  { user, actor, source }: Caller,
  options: SnapshotOptions,
): SeenChannel[] {
  const own = subscriptionsByChannel(tx.sql, user.id)
  const withArchived = options.capabilities.has('archived_channels')
  const channels: Omit<SeenChannel, 'section' | 'newer'>[] = []
  for (const channel of allChannels(tx)) {
    if (channel.isArchived && !withArchived) continue
    const subscription = own.get(channel.id)
    if (!mayAccessChannelMetadata(actor, channel, subscription?.isActive ?? false)) continue
    channels.push({ channel, subscription })
  }
  const sections = tx.useAll(
    channelSection,
    channels.map(({ channel }) => channel.id),
  )
  const knowsPushes = getsRepresentation(source, 'channels with default_push_notifications')
  const newerOf = ({ properties: { default_push_notifications } }: Channel) =>
    knowsPushes ? JSON.stringify({ default_push_notifications }).slice(1, -1) : ''
  return channels.map((one, at) => ({ ...one, section: sections[at]!, newer: newerOf(one.channel) }))
}

/** Returns the pieces of a channel's object. `settings`: personal settings, as fields of JSON. */
export function piecesOfChannel(
  { section, newer }: SeenChannel,
  { listsSubscribers, settings }: { readonly listsSubscribers: boolean; readonly settings?: string },
) {
  const end = partOf(section, listsSubscribers ? PARTS.listed : PARTS.counted)
  const between = [newer, settings].filter((fields) => fields).map((fields) => `,${fields}`)
  return [partOf(section, PARTS.beginning), `${between.join('')},`, end]
}

/** Returns a function that writes the personal settings of a subscription as JSON fields, in the client's form. */
export function settingsWriter(
  { user }: Pick<Caller, 'user'>,
  { capabilities }: Pick<SnapshotOptions, 'capabilities'>,
): (subscription: Subscription) => string {
  const inherited = inheritedSettings(user)
  const hasNulls = capabilities.has('notification_settings_null')
  return (subscription) => {
    const settings = presentPersonalSettings(subscription)
    return JSON.stringify(hasNulls ? settings : resolveInherited(settings, inherited)).slice(1, -1)
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
    const ids = openSubscribersOf(sql, id).toArray()
    yield
    const count = `"subscriber_count":${ids.length}`
    return sectionOf(`channel ${id}`, [
      `,${JSON.stringify(fields).slice(0, -1)}`,
      `${count}}`,
      `${count},"subscribers":[${ids.join()}]}`,
    ])
  },
})
