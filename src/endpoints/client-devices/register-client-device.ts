import * as v from 'valibot'
import { registerClientDevice } from '../../domain/client-devices/register-client-device.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { integer } from '../parameter-types.ts'

/** Registers a mobile device on which somebody has logged in. Source: the public API, level 468. */
export const registerClientDeviceEndpoint = defineEndpoint({
  operation: 'register-client-device',
  method: 'POST',
  path: '/register_client_device',
  access: 'human',
  params: {},
  returns: v.object({ device_id: integer }),
  command: registerClientDevice,
  audit: 'own',
})
