import * as v from 'valibot'
import { removeClientDevice } from '../../domain/client-devices/remove-client-device.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonInteger } from '../parameter-types.ts'

/** Removes a mobile device on which somebody logs out. Source: the public API, level 470. */
export const removeClientDeviceEndpoint = defineEndpoint({
  operation: 'remove-client-device',
  method: 'POST',
  path: '/remove_client_device',
  access: 'human',
  params: {
    device_id: v.pipe(jsonInteger, v.description('The id from the answer of POST /register_client_device.')),
  },
  returns: v.object({}),
  command: removeClientDevice,
  audit: 'own',
})
