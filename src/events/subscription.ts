import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { type DeliveryContext, defineEventType, hasCapability } from './event-type.ts'
import { channelEntries } from './stream.ts'

/** Notification settings of a channel that are null while the user's own value is in force. */
export const INHERITED_NOTIFICATION_SETTINGS = [
  'audible_notifications',
  'desktop_notifications',
  'email_notifications',
  'push_notifications',
  'wildcard_mentions_notify',
] as const

/** What the nulls stand for, for clients that do not know them. */
export type InheritedSettings = Readonly<Record<(typeof INHERITED_NOTIFICATION_SETTINGS)[number], boolean>>

/** A subscription began, ended or changed, one's own or (peer_*) others'. Source: events 4. */
export interface StoredSubscriptionEvent extends LogEvent {
  readonly type: 'subscription'
  readonly op: 'add' | 'remove' | 'update' | 'peer_add' | 'peer_remove'
  readonly subscriptions?: readonly Readonly<Record<string, unknown>>[]
  /** `add`: the user's own notification settings. */
  readonly inherited?: InheritedSettings
  readonly [field: string]: unknown
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

const envelope = { id: v.number(), type: v.literal('subscription') }
const peers = { stream_ids: v.array(v.number()), user_ids: v.array(v.number()) }

export const subscriptionEvent = defineEventType<StoredSubscriptionEvent>({
  type: 'subscription',
  schema: v.union([
    v.strictObject({
      ...envelope,
      op: v.literal('add'),
      subscriptions: v.array(v.strictObject(subscriptionEntries)),
    }),
    v.strictObject({
      ...envelope,
      op: v.literal('remove'),
      subscriptions: v.array(v.strictObject({ stream_id: v.number(), name: v.string() })),
    }),
    v.strictObject({
      ...envelope,
      op: v.literal('update'),
      stream_id: v.number(),
      property: v.string(),
      value: v.union([v.boolean(), v.string()]),
    }),
    v.strictObject({ ...envelope, op: v.picklist(['peer_add', 'peer_remove']), ...peers }),
  ]),
  deliver({ inherited, ...stored }, context) {
    if (stored.op !== 'add') return [stored]
    const subscriptions = stored.subscriptions!.map((one) => subscriptionFor(one, inherited!, context))
    return [{ ...stored, subscriptions }]
  },
})

/** One subscription as this queue asked for it: with or without subscribers, nulls resolved or not. */
function subscriptionFor(
  { subscribers, ...subscription }: Readonly<Record<string, unknown>>,
  inherited: InheritedSettings,
  context: DeliveryContext,
): Record<string, unknown> {
  const resolved = hasCapability(context, 'notification_settings_null')
    ? subscription
    : resolveInherited(subscription, inherited)
  return context.queue.options.includeSubscribers === false ? resolved : { ...resolved, subscribers }
}

export function resolveInherited<Subscription extends Readonly<Record<string, unknown>>>(
  subscription: Subscription,
  inherited: InheritedSettings,
): Subscription {
  const resolved: Record<string, unknown> = { ...subscription }
  for (const name of INHERITED_NOTIFICATION_SETTINGS) resolved[name] ??= inherited[name]
  return resolved as Subscription
}
