import type { Endpoint, Operation } from '../../api/define-endpoint.ts'
import {
  addApnsTokenEndpoint,
  addFcmTokenEndpoint,
  removeApnsTokenEndpoint,
  removeFcmTokenEndpoint,
} from './push-tokens.ts'
import { registerPushDeviceEndpoint } from './register-push-device.ts'
import { testNotificationEndpoint } from './test-notification.ts'
import { forgetPushDevicesStep, testSealedNotificationEndpoint } from './test-sealed-notification.ts'

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
