import type { RealmReads } from '../../core/realm-transaction.ts'
import type { InheritedSettings } from '../../events/subscription.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import type { Position, Subscription } from '../../store/subscriptions/subscription-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import type { PresentedChannel } from '../channels/read/present-channel.ts'

/**
 * Returns channel and personal settings together (docs/interface/subscriptions.md#the-subscription-object).
 * `subscribers` only if asked for.
 */
export function presentSubscription(
  channel: PresentedChannel,
  subscription: Subscription,
  subscribers?: readonly number[],
) {
  return {
    ...channel,
    ...presentPersonalSettings(subscription),
    ...(subscribers ? { subscribers } : {}),
  }
}

export type PresentedSubscription = ReturnType<typeof presentSubscription>

/** Returns the settings of a channel that belong to one subscriber. */
export function presentPersonalSettings(subscription: Subscription) {
  return {
    audible_notifications: subscription.audibleNotifications,
    desktop_notifications: subscription.desktopNotifications,
    email_notifications: subscription.emailNotifications,
    push_notifications: subscription.pushNotifications,
    wildcard_mentions_notify: subscription.wildcardMentionsNotify,
    color: subscription.color,
    pin_to_top: subscription.pinToTop,
    is_muted: subscription.isMuted,
    in_home_view: !subscription.isMuted,
  }
}

/** Returns a text that is the same for subscriptions with the same personal settings: hundreds are compared. */
export function settingsAsText(one: Subscription): string {
  const { desktopNotifications, audibleNotifications, pushNotifications, emailNotifications } = one
  const notifications = `${desktopNotifications} ${audibleNotifications} ${pushNotifications} ${emailNotifications}`
  return `${one.color} ${one.pinToTop} ${one.isMuted} ${notifications} ${one.wildcardMentionsNotify}`
}

/** Returns the settings that replace a channel's notification settings of null. */
export function inheritedSettings(user: Pick<User, 'settings'>): InheritedSettings {
  return {
    audible_notifications: userSetting(user, 'enable_stream_audible_notifications'),
    desktop_notifications: userSetting(user, 'enable_stream_desktop_notifications'),
    email_notifications: userSetting(user, 'enable_stream_email_notifications'),
    push_notifications: userSetting(user, 'enable_stream_push_notifications'),
    wildcard_mentions_notify: userSetting(user, 'wildcard_mentions_notify'),
  }
}

/**
 * Returns the position at which a present period begins or ends: after what has been emitted and sent so far.
 */
export function presentPosition(tx: RealmReads): Position {
  return { event: tx.lastEventId(), message: newestMessageId(tx.sql) }
}
