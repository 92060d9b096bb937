import type { Endpoint, Operation } from '../define-endpoint.ts'
import { getSubscriptionStatusEndpoint } from './get-subscription-status.ts'
import { getSubscriptionsEndpoint } from './get-subscriptions.ts'
import { getUserChannelsEndpoint } from './get-user-channels.ts'
import { subscribeEndpoint, subscribeRestStep } from './subscribe.ts'
import { unsubscribeEndpoint, unsubscribeRestStep } from './unsubscribe.ts'
import { updateSubscriptionPropertyEndpoint } from './update-subscription-property.ts'
import {
  updateFurtherSubscriptionSettingsStep,
  updateSubscriptionSettingsEndpoint,
} from './update-subscription-settings.ts'
import { updateSubscriptionsEndpoint, updateSubscriptionsRestStep } from './update-subscriptions.ts'

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

export const SUBSCRIPTION_STEPS: readonly Operation[] = [
  subscribeRestStep,
  unsubscribeRestStep,
  updateFurtherSubscriptionSettingsStep,
  updateSubscriptionsRestStep,
]
