import type { Endpoint } from '../../api/define-endpoint.ts'
import { getClientDevicesEndpoint } from './get-client-devices.ts'
import { registerClientDeviceEndpoint } from './register-client-device.ts'
import { removeClientDeviceEndpoint } from './remove-client-device.ts'

export const CLIENT_DEVICE_ENDPOINTS: readonly Endpoint[] = [
  getClientDevicesEndpoint,
  registerClientDeviceEndpoint,
  removeClientDeviceEndpoint,
]
