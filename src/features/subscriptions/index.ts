import type { Endpoint } from '../../api/define-endpoint.ts'
import { subscribeEndpoint } from './subscribe.ts'
import {
  getSubscriptionStatusEndpoint,
  getSubscriptionsEndpoint,
  getUserChannelsEndpoint,
} from './subscriptions.ts'
import { unsubscribeEndpoint } from './unsubscribe.ts'
import {
  updateSubscriptionPropertyEndpoint,
  updateSubscriptionSettingsEndpoint,
} from './update-subscription-settings.ts'
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
