import { resolveInherited } from '../../events/subscription.ts'
import { isGuest } from '../../permissions/roles.ts'
import type { Caller } from '../caller.ts'
import { inheritedSettings, presentPersonalSettings } from '../subscriptions/present-subscription.ts'
import type { Subscription } from '../subscriptions/subscription-rows.ts'
import { channelsInBlocks, END, listOfChannels } from './channels-in-blocks.ts'
import type { Snapshot, SnapshotOptions } from './snapshot.ts'

/**
 * Keys of `subscription`: three disjoint lists, each by name
 * (docs/interface/subscriptions.md#the-subscription-object).
 */
export const subscriptionSnapshot: Snapshot = (tx, caller, options) => {
  const { channels, subscriptions, blocks } = channelsInBlocks(tx, caller, options)
  const settingsOf = settingsTexts(caller, options)
  const present: number[] = []
  const past: number[] = []
  const never: number[] = []
  for (let row = 0; row < channels.length; row += 1) {
    const subscription = subscriptions[row]
    if (subscription) (subscription.isActive ? present : past).push(row)
    else if (!isGuest(caller.user) || channels[row]!.isWebPublic) never.push(row)
  }
  const end = options.includeSubscribers === false ? END.counted : END.listed
  const withSettings = (rows: readonly number[]) =>
    listOfChannels({
      of: blocks,
      rows,
      between: () => rows.map((row) => settingsOf(subscriptions[row]!)),
      end,
    })
  return {
    subscriptions: withSettings(present),
    unsubscribed: withSettings(past),
    never_subscribed: listOfChannels({ of: blocks, rows: never, end }),
  }
}

/** Returns what writes personal settings as fields, with a comma before them. */
function settingsTexts(
  { user }: Pick<Caller, 'user'>,
  { capabilities }: Pick<SnapshotOptions, 'capabilities'>,
): (subscription: Subscription) => string {
  const inherited = inheritedSettings(user)
  const hasNulls = capabilities.has('notification_settings_null')
  const written = (subscription: Subscription) => {
    const settings = presentPersonalSettings(subscription)
    const own = hasNulls ? settings : resolveInherited(settings, inherited)
    return `,${JSON.stringify(own).slice(1, -1)}`
  }
  // Of thousands, most have the same, but for the color.
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
