import { listOf, type Piece } from '../../core/sections.ts'
import { resolveInherited } from '../../events/subscription.ts'
import { isGuest } from '../../rules/roles.ts'
import type { Subscription } from '../../store/subscriptions/subscription-rows.ts'
import type { Caller } from '../caller.ts'
import { inheritedSettings, presentPersonalSettings } from '../subscriptions/present-subscription.ts'
import { channelsSeen, piecesOfChannel } from './channels-in-sections.ts'
import type { Snapshot, SnapshotOptions } from './snapshot.ts'

/**
 * Keys of `subscription`: three disjoint lists, each by name
 * (docs/interface/subscriptions.md#the-subscription-object).
 */
export const subscriptionSnapshot: Snapshot = (tx, caller, options) => {
  const settingsOf = settingsTexts(caller, options)
  const listsSubscribers = options.includeSubscribers !== false
  const present: Piece[][] = []
  const past: Piece[][] = []
  const never: Piece[][] = []
  for (const channel of channelsSeen(tx, caller, options)) {
    const { subscription } = channel
    if (subscription) {
      const pieces = piecesOfChannel(channel, { listsSubscribers, settings: settingsOf(subscription) })
      if (subscription.isActive) present.push(pieces)
      else past.push(pieces)
    } else if (!isGuest(caller.user) || channel.channel.isWebPublic)
      never.push(piecesOfChannel(channel, { listsSubscribers }))
  }
  return {
    subscriptions: listOf(present),
    unsubscribed: listOf(past),
    never_subscribed: listOf(never),
  }
}

/** Returns what writes personal settings as fields. */
function settingsTexts(
  { user }: Pick<Caller, 'user'>,
  { capabilities }: Pick<SnapshotOptions, 'capabilities'>,
): (subscription: Subscription) => string {
  const inherited = inheritedSettings(user)
  const hasNulls = capabilities.has('notification_settings_null')
  const written = (subscription: Subscription) => {
    const settings = presentPersonalSettings(subscription)
    const own = hasNulls ? settings : resolveInherited(settings, inherited)
    return JSON.stringify(own).slice(1, -1)
  }
  // Most of thousands are the same except for the color.
  const common = new Map<string, string>()
  return (subscription) => {
    if (!isCommon(subscription)) return written(subscription)
    const known = common.get(subscription.color)
    if (known !== undefined) return known
    const text = written(subscription)
    common.set(subscription.color, text)
    return text
  }
}

/** Whether it has no settings of its own besides the color. */
function isCommon(one: Subscription): boolean {
  return (
    !one.isMuted &&
    !one.pinToTop &&
    one.desktopNotifications === null &&
    one.audibleNotifications === null &&
    one.pushNotifications === null &&
    one.emailNotifications === null &&
    one.wildcardMentionsNotify === null
  )
}
