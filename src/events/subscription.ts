import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { type DeliveryContext, defineShapedEventType, hasCapability } from './event-type.ts'
import { channelEntries, channelFor } from './stream.ts'

/** Notification settings of a channel that are null while the user's own setting applies. */
const INHERITED_NOTIFICATION_SETTINGS = [
  'audible_notifications',
  'desktop_notifications',
  'email_notifications',
  'push_notifications',
  'wildcard_mentions_notify',
] as const

/** Values that replace the nulls, for clients that do not know them. */
export type InheritedSettings = Readonly<Record<(typeof INHERITED_NOTIFICATION_SETTINGS)[number], boolean>>

/** The part of new subscriptions that belongs to one receiver, or to several with equal ones. */
export interface SubscriptionReceivers {
  readonly users: readonly number[]
  /** Personal settings, in the order of `subscriptions`. */
  readonly personal: readonly Readonly<Record<string, unknown>>[]
  /** The users' own notification settings. */
  readonly inherited: InheritedSettings
}

/**
 * A subscription began, ended or changed, one's own or (peer_*) others'. New subscriptions are logged once
 * for all who joined the same channels. Source: docs/interface/events.md#events-about-channels-and-groups.
 */
export type StoredSubscriptionEvent = LogEvent & { readonly type: 'subscription' } & (
    | {
        readonly op: 'add'
        /** Channel objects with `subscribers`. */
        readonly subscriptions: readonly Readonly<Record<string, unknown>>[]
        readonly receivers: readonly SubscriptionReceivers[]
        /** Set where only one kind of client needs the event: see `StoredStreamEvent`. */
        readonly for_archived_channels?: 'yes' | 'no'
      }
    | {
        readonly op: 'remove'
        readonly subscriptions: readonly { readonly stream_id: number; readonly name: string }[]
      }
    | {
        readonly op: 'update'
        readonly stream_id: number
        readonly property: string
        readonly value: boolean | string
      }
    | {
        readonly op: 'peer_add' | 'peer_remove'
        /** Each receiver gets those that they see. */
        readonly stream_ids: readonly number[]
        readonly user_ids: readonly number[]
      }
  )

interface OwnOfSubscription {
  /** Index of the receiver's part of new subscriptions. */
  readonly receiver: number
  /** The channels that the receiver sees; absent for all. */
  readonly channels?: readonly number[]
}

const nullableBoolean = v.nullable(v.boolean())

export const subscriptionEntries = {
  ...channelEntries,
  audible_notifications: nullableBoolean,
  desktop_notifications: nullableBoolean,
  email_notifications: nullableBoolean,
  push_notifications: nullableBoolean,
  wildcard_mentions_notify: nullableBoolean,
  color: v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/)),
  pin_to_top: v.boolean(),
  is_muted: v.boolean(),
  in_home_view: v.boolean(),
  subscribers: v.optional(v.array(v.number())),
  partial_subscribers: v.optional(v.array(v.number())),
}

export const subscriptionEvent = defineShapedEventType<StoredSubscriptionEvent, OwnOfSubscription>(
  'subscription',
  [
    { op: v.literal('add'), subscriptions: v.array(v.strictObject(subscriptionEntries)) },
    {
      op: v.literal('remove'),
      subscriptions: v.array(v.strictObject({ stream_id: v.number(), name: v.string() })),
    },
    {
      op: v.literal('update'),
      stream_id: v.number(),
      property: v.string(),
      value: v.union([v.boolean(), v.string()]),
    },
    {
      op: v.picklist(['peer_add', 'peer_remove']),
      stream_ids: v.array(v.number()),
      user_ids: v.array(v.number()),
    },
  ],
  {
    personal(stored, { userId, channels }) {
      if (stored.op !== 'add') return channels ? { receiver: 0, channels } : { receiver: 0 }
      const receiver = stored.receivers.findIndex(({ users }) => users.includes(userId))
      return receiver < 0 ? undefined : { receiver }
    },
    deliver(stored, context) {
      if (stored.op === 'peer_add' || stored.op === 'peer_remove') {
        return [{ ...stored, stream_ids: context.personal.channels ?? stored.stream_ids }]
      }
      if (stored.op !== 'add') return [{ ...stored }]
      const { receivers, for_archived_channels: wanted, ...event } = stored
      if (wanted && (wanted === 'yes') !== hasCapability(context, 'archived_channels')) return []
      const own = receivers[context.personal.receiver]!
      const subscriptions = stored.subscriptions.map((channel, index) =>
        subscriptionFor(
          { ...channelFor(context.options, channel), ...own.personal[index] },
          own.inherited,
          context,
        ),
      )
      return [{ ...event, subscriptions }]
    },
  },
)

/** Returns one subscription in the form for this queue: with or without subscribers, nulls resolved or not. */
function subscriptionFor(
  { subscribers, ...subscription }: Readonly<Record<string, unknown>>,
  inherited: InheritedSettings,
  context: DeliveryContext,
): Record<string, unknown> {
  const resolved = hasCapability(context, 'notification_settings_null')
    ? subscription
    : resolveInherited(subscription, inherited)
  return context.options.includeSubscribers === false ? resolved : { ...resolved, subscribers }
}

export function resolveInherited<Subscription extends Readonly<Record<string, unknown>>>(
  subscription: Subscription,
  inherited: InheritedSettings,
): Subscription {
  const resolved: Record<string, unknown> = { ...subscription }
  for (const name of INHERITED_NOTIFICATION_SETTINGS) resolved[name] ??= inherited[name]
  return resolved as Subscription
}
