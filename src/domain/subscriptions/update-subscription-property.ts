import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { changeSetting, requireValidChange, type SubscriptionChange } from './update-subscription-settings.ts'

/**
 * Changes one setting of one channel, in the older form. Source:
 * docs/interface/subscriptions.md#settings-of-a-subscription.
 */
export const updateSubscriptionProperty: Command<Caller, SubscriptionChange, void, object> = {
  apply(tx, caller, change) {
    changeSetting(tx, caller, requireValidChange(change))
    return {}
  },
}
