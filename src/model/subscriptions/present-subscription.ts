import type { RealmReads } from '../../core/realm-transaction.ts'
import type { InheritedSettings } from '../../events/subscription.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import type { Position, Subscription } from '../../store/subscriptions/subscription-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

/** Returns the object of docs/interface/subscriptions.md#the-subscription-object; `subscribers` only if given. */
export function presentSubscription(
  channel: object,
  subscription: Subscription,
  subscribers?: readonly number[],
) {
  return {
    ...channel,
    ...presentPersonalSettings(subscription),
    ...(subscribers ? { subscribers } : {}),
  }
}

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

/** Returns the user's settings that replace a subscription's notification settings of null. */
export function inheritedSettings(user: Pick<User, 'settings'>): InheritedSettings {
  return {
    audible_notifications: userSetting(user, 'enable_stream_audible_notifications'),
    desktop_notifications: userSetting(user, 'enable_stream_desktop_notifications'),
    email_notifications: userSetting(user, 'enable_stream_email_notifications'),
    push_notifications: userSetting(user, 'enable_stream_push_notifications'),
    wildcard_mentions_notify: userSetting(user, 'wildcard_mentions_notify'),
  }
}

/** Returns the position at which a period begins or ends now: after the last event and message. */
export function presentPosition(tx: RealmReads): Position {
  return { event: tx.lastEventId(), message: newestMessageId(tx.sql) }
}
