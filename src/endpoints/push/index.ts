import type { Endpoint } from '../define-endpoint.ts'
import {
  addApnsTokenEndpoint,
  addFcmTokenEndpoint,
  removeApnsTokenEndpoint,
  removeFcmTokenEndpoint,
} from './push-tokens.ts'
import { registerPushDeviceEndpoint } from './register-push-device.ts'
import { testNotificationEndpoint } from './test-notification.ts'

export const PUSH_ENDPOINTS: readonly Endpoint[] = [
  addApnsTokenEndpoint,
  addFcmTokenEndpoint,
  registerPushDeviceEndpoint,
  removeApnsTokenEndpoint,
  removeFcmTokenEndpoint,
  testNotificationEndpoint,
]
