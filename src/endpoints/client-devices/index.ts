import type { Endpoint } from '../define-endpoint.ts'
import { registerClientDeviceEndpoint } from './register-client-device.ts'
import { removeClientDeviceEndpoint } from './remove-client-device.ts'

export const CLIENT_DEVICE_ENDPOINTS: readonly Endpoint[] = [
  registerClientDeviceEndpoint,
  removeClientDeviceEndpoint,
]
