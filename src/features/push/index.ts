import type { Endpoint, Operation } from '../../api/define-endpoint.ts'
import {
  forgetPushDevicesStep,
  registerPushDeviceEndpoint,
  testSealedNotificationEndpoint,
} from './push-devices.ts'
import {
  addApnsTokenEndpoint,
  addFcmTokenEndpoint,
  removeApnsTokenEndpoint,
  removeFcmTokenEndpoint,
  testNotificationEndpoint,
} from './push-tokens.ts'

import {
  addWebPushSubscriptionEndpoint,
  getWebPushKeyEndpoint,
  removeWebPushSubscriptionEndpoint,
} from './web-push.ts'

export const PUSH_ENDPOINTS: readonly Endpoint[] = [
  addApnsTokenEndpoint,
  addFcmTokenEndpoint,
  registerPushDeviceEndpoint,
  removeApnsTokenEndpoint,
  removeFcmTokenEndpoint,
  testNotificationEndpoint,
  testSealedNotificationEndpoint,
  getWebPushKeyEndpoint,
  addWebPushSubscriptionEndpoint,
  removeWebPushSubscriptionEndpoint,
]

export const PUSH_STEPS: readonly Operation[] = [forgetPushDevicesStep]
