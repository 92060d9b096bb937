import type { Endpoint } from '../../api/define-endpoint.ts'
import { getSubscriptionStatusEndpoint } from './get-subscription-status.ts'
import { getSubscriptionsEndpoint } from './get-subscriptions.ts'
import { getUserChannelsEndpoint } from './get-user-channels.ts'
import { subscribeEndpoint } from './subscribe.ts'
import { unsubscribeEndpoint } from './unsubscribe.ts'
import { updateSubscriptionPropertyEndpoint } from './update-subscription-property.ts'
import { updateSubscriptionSettingsEndpoint } from './update-subscription-settings.ts'
import { updateSubscriptionsEndpoint } from './update-subscriptions.ts'

export const SUBSCRIPTION_ENDPOINTS: readonly Endpoint[] = [
  getSubscriptionStatusEndpoint,
  getSubscriptionsEndpoint,
  getUserChannelsEndpoint,
  subscribeEndpoint,
  unsubscribeEndpoint,
  updateSubscriptionPropertyEndpoint,
  updateSubscriptionSettingsEndpoint,
  updateSubscriptionsEndpoint,
]
